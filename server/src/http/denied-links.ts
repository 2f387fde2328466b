import type { Operation } from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import { sql } from "kysely";
import type { Db } from "../storage/storage.ts";
import type { Guard } from "./exposed-keys.ts";
import type { House } from "./house.ts";
import { Problem } from "./problem.ts";

/**
 * The guard of an operation: whatever others would read may link to no host that moderators have denied, with a scheme
 * or without. Text in which nothing looks like a host costs nothing, any other one look at a short table.
 */
export function linkGuard(house: House, op: Operation): Guard {
  const fields = heedsDeniedLinks(op) ? publishedFields(op.body) : [];
  return (input) =>
    refuseDenied(
      house.storage.read,
      fields.map((name) => ({ name, value: input[name] })),
    );
}

/** Whether anybody reads what it takes but moderators, who have to be told what it is about. */
export function heedsDeniedLinks({ area, access, body }: Operation): boolean {
  const amongModerators = area === "Moderation" || (access.kind === "session" && access.admins === true);
  return !amongModerators && publishedFields(body).length > 0;
}

/** What would be published, under the field that it came in. */
interface Said {
  name: string;
  value: unknown;
}

/** Throws `denied_link` for the first of these that links to a host which nobody may link to. */
export async function refuseDenied(db: Db, said: readonly Said[]): Promise<void> {
  const found = said.map(({ name, value }) => ({ name, hosts: hostsAmong(value).flatMap(withParents) }));
  const hosts = new Set(found.flatMap(({ hosts }) => hosts));
  if (hosts.size === 0) return;
  const denied = await deniedAmong(db, [...hosts]);
  const first = found.find(({ hosts }) => hosts.some((host) => denied.has(host)));
  if (!first) return;
  throw new Problem("denied_link", `${first.name} links to a host that nobody may link to here.`, {
    field: first.name,
  });
}

/** A host as browsers understand it; null where it is none. */
export function hostOf(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.hostname.replace(/\.+$/, "") || null;
}

function hostsAmong(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(hostsAmong);
  return typeof value === "string" ? hostsIn(value) : [];
}

const addressed = /https?:[/\\]*[^\s"'<>()]+/giu;
/** What stands between scheme and path. */
const authority = /^https?:[/\\]*([^/\\?#]*)/iu;
// Begun at no place within a word, so that a long word is read once.
const bare = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?:[.。．｡][\p{L}\p{N}_-]+)+/gu;
/** Letters of scripts without blanks between words: a host may stand in the midst of them. */
const unspaced = /[^\p{Script=Latin}\p{N}_.。．｡-]/u;
const plain = /[\w-]+(?:\.[\w-]+)+/g;
/** What names of hosts may hold without being changed by it, such as soft hyphens. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;
/** No name of a host is longer. */
const LONGEST = 253;

/** Also of an address that a sentence, a bracket or an emphasis runs on behind: what a reader would take for its host. */
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
  const listed = db.engine.rows(JSON.stringify(hosts.map((host) => ({ host }))), { host: "text" });
  const { rows } = await sql<{ host: string }>`
    select host from denied_links where host in (select host from (${listed}) as listed)`.execute(db);
  return new Set(rows.map(({ host }) => host));
}
