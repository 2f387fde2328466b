/* Evaluated at build time, so that the browser doesn't need the contract's schemas. */
export { commentOrders } from "@tandem/contract/post-resources";
