import { readTexts } from "@tandem/contract/markdown/read-texts";
import type { Operation } from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import { sql } from "kysely";
import type { Db } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import type { PublishedTextCheck } from "./exposed-keys.ts";
import type { Services } from "./services.ts";

/**
 * Refuses public text that links to a domain blocked by moderators, with or without a scheme. Text without anything
 * like a host name costs nothing; other text costs one lookup in a small table.
 */
export function linkCheck(services: Services, op: Operation): PublishedTextCheck {
  const fields = checksDeniedLinks(op) ? publishedFields(op.body) : [];
  return (input) =>
    refuseDenied(
      services.storage.read,
      fields.map((name) => ({ name, value: input[name] })),
    );
}

/** Whether anyone but moderators reads the input: reports may name a blocked link. */
export function checksDeniedLinks({ area, access, body }: Operation): boolean {
  const amongModerators = area === "Moderation" || (access.kind === "session" && access.admins === true);
  return !amongModerators && publishedFields(body).length > 0;
}

/** A text that would be published, and its field. */
interface FieldText {
  name: string;
  value: unknown;
}

/** Throws `denied_link` for the first text that links to a blocked domain. */
export async function refuseDenied(db: Db, texts: readonly FieldText[]): Promise<void> {
  const fields = texts.map(({ name, value }) => ({ name, hosts: hostsAmong(value).flatMap(withParents) }));
  const hosts = new Set(fields.flatMap(({ hosts }) => hosts));
  if (hosts.size === 0) return;
  const denied = await deniedAmong(db, [...hosts]);
  const first = fields.find(({ hosts }) => hosts.some((host) => denied.has(host)));
  if (!first) return;
  throw new ApiError("denied_link", `${first.name} links to a blocked domain.`, {
    field: first.name,
  });
}

/** Whether moderators blocked the domain of this address. */
export async function isDenied(db: Db, address: string): Promise<boolean> {
  const host = hostOf(address);
  return host !== null && (await deniedAmong(db, withParents(host))).size > 0;
}

/** A host name as browsers parse it, or null. */
export function hostOf(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.hostname.replace(/\.+$/, "") || null;
}

function hostsAmong(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(hostsAmong);
  return typeof value === "string" ? readTexts(value).flatMap(hostsIn) : [];
}

const addressed = /https?:[/\\]*[^\s"'<>()]+/giu;
/** The part between scheme and path. */
const authority = /^https?:[/\\]*([^/\\?#]*)/iu;
// Never starts inside a word, so that long words are scanned once.
const bare = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?:[.。．｡][\p{L}\p{N}_-]+)+/gu;
/** Scripts without spaces between words: a host name may appear in the middle of text. */
const unspaced = /[^\p{Script=Latin}\p{N}_.。．｡-]/u;
const plain = /[\w-]+(?:\.[\w-]+)+/g;
/** Characters that host names ignore, such as soft hyphens. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;
/** Maximum length of a host name. */
const LONGEST = 253;

/** The host a reader would see, also if punctuation or emphasis follows the address. */
function hostsIn(text: string): string[] {
  const seen = text.replace(unseen, "");
  const addresses = seen.match(addressed) ?? [];
  const around = addresses.map((address) => decoded(authority.exec(address)?.[1] ?? ""));
  const names = [seen.replace(addressed, " "), ...around].flatMap(namesIn);
  const hosts = [...addresses, ...names.map((name) => `http://${name}`)].flatMap(
    (address) => hostOf(address) ?? [],
  );
  return hosts.filter(({ length }) => length <= LONGEST);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function namesIn(text: string): string[] {
  return (text.match(bare) ?? []).flatMap((name) => [
    name,
    ...(unspaced.test(name) ? (name.match(plain) ?? []) : []),
  ]);
}

/** `a.b.example`, `b.example`, `example`. */
function withParents(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, i) => labels.slice(i).join("."));
}

async function deniedAmong(db: Db, hosts: string[]): Promise<Set<string>> {
  const listed = db.engine.jsonRows(JSON.stringify(hosts.map((host) => ({ host }))), { host: "text" });
  const { rows } = await sql<{ host: string }>`
    select host from denied_links where host in (select host from (${listed}) as listed)`.execute(db);
  return new Set(rows.map(({ host }) => host));
}
