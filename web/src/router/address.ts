import type { AddressValues } from "../shared/page.ts";

/** A URL of the app, without its origin. */
export interface Address {
  /** The encoded path. */
  path: string;
  /** The query with its question mark; empty without one. */
  query: string;
  /** The query's parameters. */
  search: AddressValues;
  /** The fragment without its `#`. */
  hash: string;
  /** Path, query and fragment. */
  href: string;
}

/** Where a link or a call of `navigate` leads. */
export interface Target {
  /** A path of this app, without the query. */
  to: string;
  /** The query's parameters. Empty ones are left out. */
  search?: AddressValues | undefined;
  hash?: string | undefined;
}

export function parseAddress(href: string): Address {
  const [, path = "", query = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? [];
  return { path, query, search: Object.fromEntries(new URLSearchParams(query)), hash, href };
}

export function hrefOf({ to, search = {}, hash }: Target): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value) query.set(name, value);
  return `${to}${query.size > 0 ? `?${query}` : ""}${hash ? `#${hash}` : ""}`;
}

/** Whether both have the same path and the same parameters, in any order. */
export function isSamePage(one: Address, other: Address): boolean {
  const names = Object.keys(one.search);
  return (
    one.path === other.path &&
    names.length === Object.keys(other.search).length &&
    names.every((name) => one.search[name] === other.search[name])
  );
}
