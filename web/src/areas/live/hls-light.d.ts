/** hls.js without what live streams here have no use for; it has no types of its own. */
declare module "hls.js/light" {
  export { default } from "hls.js";
}
