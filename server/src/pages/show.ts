import type { Block, Page } from "../discovery/prose.ts";
import { paragraph } from "../discovery/prose.ts";
import type { Services } from "../http/services.ts";
import type { Addresses } from "./addresses.ts";
import type { AnonymousClient } from "./anonymous-client.ts";

/** A request for a page. */
export interface PageRequest {
  services: Services;
  call: AnonymousClient;
  /** The path parameters. */
  params: Record<string, string>;
  /** The raw query string. */
  query: string;
  /** The paths of Markdown pages. */
  at: Addresses;
}

export type Show = (request: PageRequest) => Promise<Page>;

/** The link to the next page, if there is one. */
export function nextPage(address: string, query: string, cursor: number | null): Block[] {
  if (cursor === null) return [];
  const next = new URLSearchParams(query);
  next.set("cursor", String(cursor));
  return [paragraph({ href: `${address}?${next}`, text: "Next page" })];
}
