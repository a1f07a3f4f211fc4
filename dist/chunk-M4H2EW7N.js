var n=null;function t(e){return n=e,()=>{n===e&&(n=null)}}function r(){return n}export{t as a,r as b};
