import { LINK_PROOF_PATH } from "@tandem/contract/documents";
import type { Outgoing } from "../outgoing/outgoing.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { jsonOf, listAt } from "./clean/json.ts";
import { OriginError } from "./connector.ts";
import { MAX_PAGE_BYTES, readPage } from "./page.ts";

const MAX_PROOF_BYTES = 2 ** 16;

/** A redirect led to another site, which says nothing about the site that was linked. */
export class LeftSiteError extends Error {}

/**
 * Whether a page belongs to the owner of a profile: it links to the profile with `rel="me"`, or a file of its site names the
 * profile. Throws {@link OutgoingError} or {@link OriginError} if neither is found and one of the two couldn't be read.
 */
export async function pointsBack(url: string, profile: URL, outgoing: Outgoing): Promise<boolean> {
  const page = await attempt(() => pageNames(url, profile, outgoing));
  if (page === true) return true;
  const site = await attempt(() => siteNames(new URL(LINK_PROOF_PATH, url).href, profile, outgoing));
  if (site === true) return true;
  for (const result of [page, site]) if (result !== false) throw result;
  return false;
}

/** The result, or the error if a later attempt may succeed. */
async function attempt(ask: () => Promise<boolean>): Promise<boolean | Error> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LeftSiteError) return false;
    if (error instanceof OutgoingError || error instanceof OriginError) return error;
    throw error;
  }
}

async function pageNames(url: string, profile: URL, outgoing: Outgoing): Promise<boolean> {
  const headers = { accept: "text/html, application/xhtml+xml, */*;q=0.1" };
  const response = await outgoing(url, { headers, maxBytes: MAX_PAGE_BYTES, partial: true });
  if (!isFound(response)) return false;
  const type = response.headers.get("content-type") ?? "text/html";
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return false;
  const { me, base } = readPage(response);
  return me.some((href) => isProfile(href, base, profile));
}

/** A file such as `{"accounts": ["https://tandem.example/creators/native/ada"]}`. */
async function siteNames(url: string, profile: URL, outgoing: Outgoing): Promise<boolean> {
  const headers = { accept: "application/json" };
  const response = await outgoing(url, { headers, maxBytes: MAX_PROOF_BYTES });
  if (!isFound(response)) return false;
  return listAt(parsed(response), "accounts").some(
    (account) => typeof account === "string" && isProfile(account, undefined, profile),
  );
}

/** False if there is no such page; throws {@link OriginError} if that can't be told. */
function isFound({ status, url }: { status: number; url: string }): boolean {
  if (status === 200) return true;
  if (status === 404 || status === 410) return false;
  throw new OriginError(`${new URL(url).host} responded with status ${status}.`, status);
}

/** Null if it isn't JSON: many sites send a page in place of any file. */
function parsed(response: { bytes: Buffer; headers: Headers }): unknown {
  try {
    return jsonOf(response);
  } catch (error) {
    if (error instanceof OriginError) return null;
    throw error;
  }
}

/** Whether an address is the profile's. Case, a slash at the end, query and fragment don't matter. */
function isProfile(address: string, base: string | undefined, profile: URL): boolean {
  if (!URL.canParse(address, base)) return false;
  const url = new URL(address, base);
  return url.origin === profile.origin && pathOf(url) === pathOf(profile);
}

function pathOf({ pathname }: URL): string {
  const path = pathname.replace(/\/+$/, "");
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path;
  }
}
