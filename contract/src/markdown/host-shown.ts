import type { Labelled } from "./tree.ts";
import { wordsOfInlines } from "./words.ts";

const HOST = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}|\d{1,3}(?:\.\d{1,3}){3}/gu;

/**
 * The host that a link leads to, to be shown next to its text if that or its title looks like the address of another host, also one
 * with dots of other scripts; otherwise null.
 */
export function hostShown({
  href,
  title,
  children,
}: Pick<Labelled, "href" | "title" | "children">): string | null {
  const host = new URL(href).hostname;
  const text = `${wordsOfInlines(children)} ${title}`.normalize("NFKC").replaceAll("\u3002", ".");
  const named = text.match(HOST) ?? [];
  return named.every((name) => withoutWww(hostOf(name)) === withoutWww(host)) ? null : host;
}

function hostOf(name: string): string {
  const address = `http://${name}`;
  return URL.canParse(address) ? new URL(address).hostname : name;
}

const withoutWww = (host: string) => host.replace(/^www\./, "");
