// Transition: the old names, for files that are being rewritten on another branch. Delete with them.
export {
  beginVisit,
  CrawlPolicy,
  conditionalHeaders as conditions,
  MAX_WAIT as WAIT,
  type PageValidators as Page,
  pauseIfAsked as restOf,
  type Visit,
  validatorsOf as pageOf,
} from "./visit.ts";
