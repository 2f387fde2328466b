/* Evaluated at build time, so that the browser doesn't need the contract's schemas. */
export { sitePageNames } from "@tandem/contract/site-pages";
