import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { type Span, traceHeaders, traceStep } from "../tracing/tracing.ts";
import { guardedLookup, type Lookup, validateAddress } from "./address-guard.ts";
import { readAll } from "./body.ts";
import { OutgoingError } from "./outgoing-error.ts";
import type { Ranges } from "./public-address.ts";

export interface OutgoingOptions {
  /** Non-public ranges that are allowed. */
  allowed: Ranges;
  /** The User-Agent header. */
  userAgent: () => string;
  /** DNS servers; the system's own by default. */
  nameServers?: string[];
}

export interface OutgoingRequest {
  /** GET by default. Only GET and HEAD follow redirects. */
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: Buffer | string;
  signal?: AbortSignal;
  /** The most bytes of the response, both compressed and decompressed; 8 MiB by default. */
  maxBytes?: number;
  /** Whether to return the first `maxBytes` of a longer response instead of failing. */
  partial?: boolean;
  /** The total timeout in seconds, including redirects; 20 by default. */
  seconds?: number;
  /** The timeout in seconds without any data; 8 by default. */
  idle?: number;
  redirects?: number;
  /** Whether to return a redirect to another host in `next` instead of following it. */
  sameHostOnly?: boolean;
}

export interface OutgoingResponse {
  /** The HTTP status; no status is an error here. */
  status: number;
  /** The URL after redirects. */
  url: string;
  /** Whether all redirects were permanent, so that `url` can replace the requested one. */
  moved: boolean;
  /** The number of redirects. */
  redirects: number;
  /** The target of a redirect that wasn't followed because of `sameHostOnly`; already validated. */
  next: string | null;
  headers: Headers;
  /** The decompressed body in its original charset. */
  bytes: Buffer;
}

/**
 * Sends a request to an external server. All outgoing requests of the service go through here. Throws
 * {@link OutgoingError}, or the signal's reason if `signal` aborts it.
 */
export type Outgoing = (url: string | URL, request?: OutgoingRequest) => Promise<OutgoingResponse>;

const MiB = 2 ** 20;
const defaults = { maxBytes: 8 * MiB, seconds: 20, idle: 8, redirects: 5 };
const ENCODINGS = "gzip, br, deflate";

export function openOutgoing({ allowed, userAgent, nameServers }: OutgoingOptions): Outgoing {
  const lookup = guardedLookup(allowed, nameServers ?? null);
  return (address, request = {}) =>
    traceStep(
      () => describe(address, request),
      (span) => fetchFrom(address, request, span),
    );

  async function fetchFrom(
    address: string | URL,
    request: OutgoingRequest,
    span: Span | undefined,
  ): Promise<OutgoingResponse> {
    const { signal: ended, seconds = defaults.seconds } = request;
    const tooSlow = new OutgoingError("too_slow", `The response took longer than ${seconds} seconds.`);
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(tooSlow), seconds * 1000);
    const signal = ended ? AbortSignal.any([ended, clock.signal]) : clock.signal;
    try {
      const own = { "user-agent": userAgent(), ...traceHeaders() };
      const response = await follow(validateAddress(address, undefined, allowed), request, (url, headers) =>
        send(url, { ...request, headers: { ...own, ...headers } }, lookup, signal),
      );
      span?.setAttribute("http.response.status_code", response.status);
      return response;
    } catch (error) {
      throw signal.aborted ? signal.reason : explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function follow(
    first: URL,
    {
      method = "GET",
      headers = {},
      redirects = defaults.redirects,
      maxBytes = defaults.maxBytes,
      partial = false,
      sameHostOnly = false,
    }: OutgoingRequest,
    sendTo: (url: URL, headers: Record<string, string>) => Promise<IncomingMessage>,
  ): Promise<OutgoingResponse> {
    let url = first;
    let moved = true;
    for (let left = redirects; ; left--) {
      const response = await sendTo(url, url.origin === first.origin ? headers : withoutSecrets(headers));
      const status = response.statusCode ?? 0;
      const location = method === "POST" ? null : targetOf(status, response.headers.location);
      const outcome = { status, url: url.href, moved, redirects: redirects - left };
      const headersHere = headersOf(response);
      if (location === null) {
        const bytes = await readAll(response, maxBytes, partial);
        return { ...outcome, next: null, headers: headersHere, bytes };
      }
      response.destroy();
      if (left <= 0) throw new OutgoingError("too_many_redirects", "There were too many redirects.");
      const next = validateAddress(location, url, allowed);
      moved &&= status === 301 || status === 308;
      if (sameHostOnly && next.host !== url.host)
        return { ...outcome, moved, next: next.href, headers: headersHere, bytes: Buffer.alloc(0) };
      url = next;
    }
  }
}

/** Without the path and query, which may be secret. */
function describe(address: string | URL, { method = "GET" }: OutgoingRequest) {
  const host = URL.canParse(String(address)) ? new URL(address).hostname : "";
  const attributes = { "http.request.method": method, "server.address": host };
  return { name: method, kind: "CLIENT", attributes } as const;
}

/** Removes credentials, which must not be sent to another origin. */
function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)),
  );
}

function targetOf(status: number, location: string | undefined): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || !location) return null;
  // Node decodes headers as Latin-1, but servers send UTF-8 in URLs.
  const meant = Buffer.from(location, "latin1").toString();
  return meant.includes("\uFFFD") ? location : meant;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(String(rawHeaders[i]), String(rawHeaders[i + 1]));
  return headers;
}

/** Sends a request on a new connection, so that each request resolves and checks the host again. */
function send(
  url: URL,
  { method = "GET", headers = {}, body, idle = defaults.idle }: OutgoingRequest,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { "accept-encoding": ENCODINGS, ...headers },
      agent: false,
      lookup,
      timeout: idle * 1000,
      signal,
    });
    const silent = new OutgoingError("too_slow", `No data arrived for ${idle} seconds.`);
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
    ? new OutgoingError("bad_answer", "The response wasn't valid HTTP.", error)
    : new OutgoingError("unreachable", `The connection failed${code && ` (${code})`}.`, error);
}
