import type { IncomingHttpHeaders } from "node:http";
import type { Operation } from "@tandem/contract/operation";
import { type Encoding, encodings } from "./content.ts";
import { namesSession } from "./credential.ts";

/** The encoding to send a response in; null to send it as it is. */
export function acceptedEncoding(headers: IncomingHttpHeaders, op: Operation | null): Encoding | null {
  const header = headers["accept-encoding"];
  if (typeof header !== "string" || op?.area === "Messages" || mayBeMeasured(headers)) return null;
  let choice = choices.get(header);
  if (choice === undefined) {
    choice = choose(header);
    if (choices.size >= MOST_CHOICES) choices.clear();
    choices.set(header, choice);
  }
  return choice;
}

/**
 * Whether another site may have made the browser send this request with the reader's session. If its address is repeated in
 * the response, someone who sees how long the response is could guess what else is in it, one character per request (BREACH).
 * Browsers say who asked; what is asked without a session has no secrets.
 */
function mayBeMeasured({ cookie, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  return site !== "same-origin" && site !== "none" && namesSession(cookie);
}

/** Clients send few different headers. */
const choices = new Map<string, Encoding | null>();
const MOST_CHOICES = 100;

/** The acceptable encoding that the client prefers (RFC 9110, 12.5.3), ours first if it has no preference. */
function choose(header: string): Encoding | null {
  const qualities = qualitiesIn(header);
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const [best] = encodings.toSorted((a, b) => qualityOf(b) - qualityOf(a));
  const quality = best === undefined ? 0 : qualityOf(best);
  const unchanged = qualities.get("identity") ?? 0;
  return best !== undefined && quality > 0 && quality >= unchanged ? best : null;
}

/** What a header such as `Accept-Encoding` names, in lowercase, with its quality: 0 means that it isn't acceptable. */
export function qualitiesIn(header: string): Map<string, number> {
  return new Map(header.toLowerCase().split(",").map(parse));
}

function parse(part: string): [name: string, quality: number] {
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
