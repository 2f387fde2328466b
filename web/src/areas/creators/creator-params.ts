import { isPlatform, nativePlatform } from "@tandem/contract/origins";
import type { CreatorRef } from "../../data/creators.ts";
import type { AddressValues } from "../../shared/page.ts";
import { NotFound } from "../../shared/page.ts";

/** The creator in a URL's parameters. Throws `NotFound` for unknown platforms. */
export function creatorFromParams({ platform = "", author = "" }: AddressValues): CreatorRef {
  if (!isPlatform(platform)) throw new NotFound();
  return { platform, author };
}

export const isLocalCreator = ({ platform }: CreatorRef): boolean => platform === nativePlatform;
