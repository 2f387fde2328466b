import type { Block, Page } from "../discovery/prose.ts";
import { paragraph } from "../discovery/prose.ts";
import type { Services } from "../http/services.ts";
import type { Addresses } from "./addresses.ts";
import type { Ask } from "./ask.ts";

/** What a page is asked for. */
export interface Asked {
  services: Services;
  ask: Ask;
  /** The values of its path. */
  params: Record<string, string>;
  /** The part of the address after the `?`, as it came. */
  query: string;
  /** Where pages are, as Markdown. */
  at: Addresses;
}

export type Show = (asked: Asked) => Promise<Page>;

/** The way to the page that follows, if one does. */
export function nextPage(address: string, query: string, cursor: number | null): Block[] {
  if (cursor === null) return [];
  const next = new URLSearchParams(query);
  next.set("cursor", String(cursor));
  return [paragraph({ href: `${address}?${next}`, text: "Next page" })];
}
