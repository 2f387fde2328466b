import type { PendingResponse } from "@tandem/contract/drafts";
import type { Route } from "@tandem/contract/routes";
import type { PreparedRequest } from "./request.ts";
import { type ErrorResponse, PendingApproval, TandemError } from "./tandem-error.ts";

/**
 * Returns a successful response with its data. Throws {@link TandemError} for an error, or if there was no response, and
 * {@link PendingApproval} for a 202.
 */
export async function readResponse(
  route: Route,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<{ data: unknown; response: Response }> {
  const { response, text } = await receive(request, signal);
  if (route.redirects && isRedirect(response))
    return { data: { location: response.headers.get("location") ?? response.url }, response };
  const { status, headers } = response;
  const data = parse(text);
  const requestId = headers.get("x-request-id");
  if (status === 202 && isPending(data)) throw new PendingApproval(data.pending, { requestId });
  if (response.ok && data !== null) return { data, response };
  const retryAfter = secondsIn(headers.get("retry-after"));
  throw new TandemError(status, isErrorResponse(data) ? data : foreignResponse(status), {
    retryAfter,
    requestId,
  });
}

/** Reads the whole response, since the connection can also break in the middle. */
async function receive({ url, send }: PreparedRequest, signal: AbortSignal | undefined) {
  try {
    const response = await send();
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new TandemError(0, noResponse(url, cause), { cause });
  }
}

/** Node.js tells the reason, such as ECONNREFUSED, as the cause's code; browsers don't tell it. */
function noResponse(url: URL, cause: unknown): ErrorResponse {
  const { code } = ((cause as Error).cause ?? {}) as { code?: unknown };
  return {
    error: `No response from ${url.origin}${typeof code === "string" ? ` (${code})` : ""}.`,
    code: "unreachable",
    hint: "Check that baseUrl is the server's address, and that the server is running.",
  };
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
