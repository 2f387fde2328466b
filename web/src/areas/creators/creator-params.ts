import { nativePlatform, type Platform } from "@tandem/contract/origins";
import type { CreatorRef } from "../../data/creators.ts";
import type { AddressValues } from "../../shared/page.ts";
import { NotFound } from "../../shared/page.ts";

/** The platforms' own names. */
export const platformNames: Record<Platform, string> = {
  native: "Tandem",
  reddit: "Reddit",
  lemmy: "Lemmy",
  piefed: "PieFed",
  mastodon: "Mastodon",
  bluesky: "Bluesky",
  hackernews: "Hacker News",
  youtube: "YouTube",
  peertube: "PeerTube",
  rss: "RSS",
};

const isPlatform = (name: string | undefined): name is Platform =>
  name !== undefined && Object.hasOwn(platformNames, name);

/** The creator in a URL's parameters. Throws `NotFound` for unknown platforms. */
export function creatorFromParams({ platform, author = "" }: AddressValues): CreatorRef {
  if (!isPlatform(platform)) throw new NotFound();
  return { platform, author };
}

export const isLocalCreator = ({ platform }: CreatorRef): boolean => platform === nativePlatform;
