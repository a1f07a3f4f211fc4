var n=null;function t(e){return n=e,()=>{n===e&&(n=null)}}function o(){return n}export{t as a,o as b};
