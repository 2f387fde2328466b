import { nativePlatform, platformNames } from "@tandem/contract/origins";
import { notFound } from "@tanstack/react-router";
import type { Whom } from "../../data/creators.ts";
import type { AddressValues } from "../../page.ts";

/** Whom an address names. Throws `notFound` where there is no such platform. */
export function whomOf({ platform, author = "" }: AddressValues): Whom {
  const known = platformNames.find((name) => name === platform);
  if (!known) throw notFound();
  return { platform: known, author };
}

export const isNative = ({ platform }: Whom): boolean => platform === nativePlatform;
