import type { PendingResponse } from "@tandem/contract/drafts";
import type { Route } from "@tandem/contract/routes";
import { type ErrorResponse, PendingApproval, TandemError } from "./tandem-error.ts";

/**
 * Returns the body of a successful response. Throws {@link TandemError} for an error, or if there was no response, and
 * {@link PendingApproval} for a 202.
 */
export async function readResponse(
  route: Route,
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { response, text } = await receive(send, signal);
  if (route.redirects && isRedirect(response))
    return { location: response.headers.get("location") ?? response.url };
  const body = parse(text);
  if (response.status === 202 && isPending(body)) throw new PendingApproval(body.pending);
  if (response.ok && body !== null) return body;
  const retryAfter = secondsIn(response.headers.get("retry-after"));
  const { status } = response;
  throw new TandemError(status, isErrorResponse(body) ? body : foreignResponse(status), { retryAfter });
}

/** Reads the whole response, since the connection can also break in the middle. */
async function receive(send: () => Promise<Response>, signal: AbortSignal | undefined) {
  try {
    const response = await send();
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new TandemError(0, { error: "No response was received.", code: "unreachable" }, { cause });
  }
}

/** Browsers hide the target of a redirect (an opaque redirect); the caller can still follow the request's own URL. */
function isRedirect({ status, type }: Response): boolean {
  return status === 302 || type === "opaqueredirect";
}

/** The error for a response that isn't Tandem's: a proxy's temporary failure, or another server at this address. */
function foreignResponse(status: number): ErrorResponse {
  const error = "The response did not come from Tandem.";
  if (status === 429 || status >= 500) return { error, code: "overloaded" };
  return { error, code: "unreachable", hint: "Another server responds at this address: check baseUrl." };
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function isPending(body: object | null): body is PendingResponse {
  return body !== null && "pending" in body;
}

function isErrorResponse(body: object | null): body is ErrorResponse {
  return body !== null && "error" in body && "code" in body && typeof body.code === "string";
}

/** Parses `Retry-After`: seconds, or a date, which some proxies send. */
function secondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
  return Number.isNaN(seconds) ? undefined : seconds;
}
