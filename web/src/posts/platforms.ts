import { type Platform, platformNames } from "@tandem/contract/origins";

export const isPlatform = (name: string): name is Platform =>
  (platformNames as readonly string[]).includes(name);
