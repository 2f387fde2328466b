import { originNames } from "@tandem/contract/origins";

/*
 * Our attributes of an outline, so that a round trip through Tandem loses nothing. Other programs ignore them: `xmlUrl` is a
 * feed that they can read.
 */

export const NAMESPACE = "urn:tandem:opml";

/** The canonical address that is polled. */
export const urlAttribute = "tandem:url";
export const platformAttribute = "tandem:platform";
export const communityAttribute = "tandem:community";
/** `no` if the source is disabled. */
export const enabledAttribute = "tandem:enabled";

export const ownAttributes = [urlAttribute, platformAttribute, communityAttribute, enabledAttribute] as const;

export const platformOf = (name: string | null) => originNames.find((one) => one === name) ?? null;
