import {
  mandatoryTypes,
  notificationSources,
  notificationTypes,
  optionalTypes,
} from "@tandem/contract/notifications";
import { aiContents } from "@tandem/contract/resources";

/*
 * The contract's options for settings. Evaluated at build time, so that the browser doesn't need the
 * contract's schemas.
 */
export { aiContents, mandatoryTypes, notificationSources, notificationTypes, optionalTypes };
