import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { guardedLookup, judgeAddress, type Lookup } from "./address-guard.ts";
import { readAll } from "./body.ts";
import { OutgoingError } from "./outgoing-error.ts";
import type { Ranges } from "./public-address.ts";

export interface OutgoingOptions {
  /** What may be asked though it isn't public. */
  allowed: Ranges;
  /** Who asks, with an address where more is told. */
  userAgent: () => string;
  /** Who is asked for the addresses of names; the system's own name servers if left out. */
  nameServers?: string[];
}

export interface OutgoingRequest {
  /** GET unless given. Only what is read, by GET or HEAD, follows redirects. */
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: Buffer | string;
  signal?: AbortSignal;
  /** Bytes of the answer at most, both on the line and unpacked. */
  maxBytes?: number;
  /** Whether of a longer one the beginning is enough, so that to be longer is no error. */
  partial?: boolean;
  /** Seconds that all of it may take, redirects included. */
  seconds?: number;
  /** Seconds that may pass without a byte. */
  idle?: number;
  redirects?: number;
  /** Whether redirects to other hosts are not followed but told, so that whoever asks can ask them in their turn. */
  sameHostOnly?: boolean;
}

export interface OutgoingAnswer {
  /** Whatever it is: no status is an error here. */
  status: number;
  /** Where it came from in the end. */
  url: string;
  /** Whether every redirect on the way was for good, so that this `url` may be remembered instead. */
  moved: boolean;
  /** How many redirects there were. */
  redirects: number;
  /** Where it leads on, at another host, if that was not to be followed; it may be asked. */
  next: string | null;
  headers: Headers;
  /** Unpacked, in whatever charset it came. */
  bytes: Buffer;
}

/**
 * Asks a server of others. Throws {@link OutgoingError}; if `signal` ends it, that signal's reason.
 * No request leaves the service but through here.
 */
export type Outgoing = (url: string | URL, request?: OutgoingRequest) => Promise<OutgoingAnswer>;

const MiB = 2 ** 20;
const usual = { maxBytes: 8 * MiB, seconds: 20, idle: 8, redirects: 5 };
const PACKINGS = "gzip, br, deflate";

export function openOutgoing({ allowed, userAgent, nameServers }: OutgoingOptions): Outgoing {
  const lookup = guardedLookup(allowed, nameServers ?? null);
  return async (address, request = {}) => {
    const { signal: ended, seconds = usual.seconds } = request;
    const tooSlow = new OutgoingError("too_slow", `The answer took longer than ${seconds} seconds.`);
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(tooSlow), seconds * 1000);
    const signal = ended ? AbortSignal.any([ended, clock.signal]) : clock.signal;
    try {
      return await follow(judgeAddress(address, undefined, allowed), request, (url, headers) =>
        send(url, { ...request, headers: { "user-agent": userAgent(), ...headers } }, lookup, signal),
      );
    } catch (error) {
      throw signal.aborted ? signal.reason : explain(error);
    } finally {
      clearTimeout(timer);
    }
  };

  async function follow(
    first: URL,
    {
      method = "GET",
      headers = {},
      redirects = usual.redirects,
      maxBytes = usual.maxBytes,
      partial = false,
      sameHostOnly: stay = false,
    }: OutgoingRequest,
    sendTo: (url: URL, headers: Record<string, string>) => Promise<IncomingMessage>,
  ): Promise<OutgoingAnswer> {
    let url = first;
    let moved = true;
    for (let left = redirects; ; left--) {
      const response = await sendTo(url, url.origin === first.origin ? headers : withoutSecrets(headers));
      const status = response.statusCode ?? 0;
      const location = method === "POST" ? null : targetOf(status, response.headers.location);
      const answer = { status, url: url.href, moved, redirects: redirects - left };
      const headersHere = headersOf(response);
      if (location === null) {
        const bytes = await readAll(response, maxBytes, partial);
        return { ...answer, next: null, headers: headersHere, bytes };
      }
      response.destroy();
      if (left <= 0) throw new OutgoingError("too_many_redirects", "It led on from redirect to redirect.");
      const next = judgeAddress(location, url, allowed);
      moved &&= status === 301 || status === 308;
      if (stay && next.host !== url.host)
        return { ...answer, moved, next: next.href, headers: headersHere, bytes: Buffer.alloc(0) };
      url = next;
    }
  }
}

/** What was meant for one server is not for the next. */
function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)),
  );
}

function targetOf(status: number, location: string | undefined): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || !location) return null;
  // Headers are read as Latin-1, and addresses are meant as UTF-8.
  const meant = Buffer.from(location, "latin1").toString();
  return meant.includes("\uFFFD") ? location : meant;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(String(rawHeaders[i]), String(rawHeaders[i + 1]));
  return headers;
}

/** A connection of its own for each request, so that every one is judged by where its name leads now. */
function send(
  url: URL,
  { method = "GET", headers = {}, body, idle = usual.idle }: OutgoingRequest,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { "accept-encoding": PACKINGS, ...headers },
      agent: false,
      lookup,
      timeout: idle * 1000,
      signal,
    });
    const silent = new OutgoingError("too_slow", `Nothing came for ${idle} seconds.`);
    sent.on("timeout", () => sent.destroy(silent));
    sent.on("response", (response) => {
      sent.prependListener("timeout", () => response.destroy(silent));
      resolve(response);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function explain(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(HPE_|Z_|ERR_BROTLI|ERR__ERROR|ERR_INVALID)/.test(code)
    ? new OutgoingError("bad_answer", "The answer was not HTTP as it should be.", error)
    : new OutgoingError("unreachable", `The connection failed${code && ` (${code})`}.`, error);
}
