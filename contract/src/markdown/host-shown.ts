import type { Labelled } from "./tree.ts";
import { wordsOfInlines } from "./words.ts";

const HOST = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;

/** The host that a link leads to, to be shown next to its text if that looks like the address of another host; otherwise null. */
export function hostShown({ href, children }: Pick<Labelled, "href" | "children">): string | null {
  const host = new URL(href).hostname;
  const named = wordsOfInlines(children).match(HOST) ?? [];
  return named.every((name) => isPartOf(host, name)) ? null : host;
}

function isPartOf(host: string, name: string): boolean {
  const address = `http://${name.replace(/^www\./i, "")}`;
  const named = URL.canParse(address) ? new URL(address).hostname : name;
  return host === named || host.endsWith(`.${named}`);
}
