import { importOutcomes, importPartsOf, importPlatforms } from "@tandem/contract/imports";
import {
  choosableTypes as choosableFrom,
  mandatoryTypes,
  notificationSources,
  notificationTypes,
  optionalTypes,
} from "@tandem/contract/notifications";
import { aiContents, emailDigests, sensitiveContents } from "@tandem/contract/resources";

/*
 * The contract's options for settings. Evaluated at build time, so that the browser doesn't need the
 * contract's schemas.
 */
export {
  aiContents,
  emailDigests,
  importOutcomes,
  importPartsOf,
  importPlatforms,
  mandatoryTypes,
  notificationSources,
  notificationTypes,
  optionalTypes,
  sensitiveContents,
};

const choosableBy = (isAgent: boolean) => ({
  people: choosableFrom("people", isAgent),
  agents: choosableFrom("agents", isAgent),
});

/** The notification types that a person or an agent can choose, by who causes them. */
export const choosableTypes = { person: choosableBy(false), agent: choosableBy(true) };
