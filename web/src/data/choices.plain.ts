import {
  mandatoryTypes,
  notificationSources,
  notificationTypes,
  optionalTypes,
} from "@tandem/contract/notifications";
import { aiContents } from "@tandem/contract/resources";

/* What can be chosen, as the contract says it. Made plain when the app is built: the browser needs no schema for it. */
export { aiContents, mandatoryTypes, notificationSources, notificationTypes, optionalTypes };
