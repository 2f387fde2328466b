import { type Platform, platformNames } from "@tandem/contract/origins";

/** What an address says may be no platform at all. */
export const isPlatform = (name: string): name is Platform =>
  (platformNames as readonly string[]).includes(name);
