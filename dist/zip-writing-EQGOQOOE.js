import{g as a}from"./chunk-VWOCGKBS.js";import"./chunk-WOT6VMZA.js";export{a as writeZip};
