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
export function linkGuard(house: House, { body, access }: Operation): Guard {
  const fields = access.kind === "session" && access.admins ? [] : publishedFields(body);
  return async (input) => {
    const found = fields.map((name) => ({ name, hosts: hostsAmong(input[name]) }));
    const hosts = new Set(found.flatMap(({ hosts }) => hosts).flatMap(withParents));
    if (hosts.size === 0) return;
    const denied = await deniedAmong(house.storage.read, [...hosts]);
    const first = found.find(({ hosts }) => hosts.flatMap(withParents).some((host) => denied.has(host)));
    if (!first) return;
    throw new Problem("denied_link", `${first.name} links to a host that nobody may link to here.`, {
      field: first.name,
    });
  };
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
// Begun at no place within a word, so that a long word is read once.
const bare = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?:[.。．｡][\p{L}\p{N}_-]+)+/gu;
/** No name of a host is longer. */
const LONGEST = 253;

function hostsIn(text: string): string[] {
  const rest = text.replace(addressed, " ");
  const addresses = [
    ...(text.match(addressed) ?? []),
    ...(rest.match(bare) ?? []).map((one) => `http://${one}`),
  ];
  const hosts = addresses.flatMap((address) => hostOf(address) ?? []);
  return hosts.filter(({ length }) => length <= LONGEST);
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
