import type { Route } from "@tandem/contract/routes";
import { type Refusal, TandemError } from "./tandem-error.ts";

/** What an operation answers. Throws {@link TandemError} for all else, an answer that never came included. */
export async function answerTo(
  route: Route,
  fetched: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { response, text } = await received(fetched, signal);
  if (route.redirects && isRedirect(response))
    return { location: response.headers.get("location") ?? response.url };
  const body = parse(text);
  if (response.ok && body !== null) return body;
  const retryAfter = secondsIn(response.headers.get("retry-after"));
  const { status } = response;
  throw new TandemError(status, isRefusal(body) ? body : notOurs(status), { retryAfter });
}

/** The whole answer: it can break off after its first line as well as before. */
async function received(fetched: () => Promise<Response>, signal: AbortSignal | undefined) {
  try {
    const response = await fetched();
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new TandemError(0, { error: "No answer came.", code: "unreachable" }, { cause });
  }
}

/** Browsers hide where a redirect leads; they do say that it is one, and can follow its own address. */
function isRedirect({ status, type }: Response): boolean {
  return status === 302 || type === "opaqueredirect";
}

/** What something else said: on the way to the service, of an outage that passes; or because the service isn't there. */
function notOurs(status: number): Refusal {
  const error = "The answer did not come from Tandem.";
  if (status === 429 || status >= 500) return { error, code: "overloaded" };
  return { error, code: "unreachable", hint: "Something else answers at this address: look at baseUrl." };
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function isRefusal(body: object | null): body is Refusal {
  return body !== null && "error" in body && "code" in body && typeof body.code === "string";
}

/** As whole seconds, or as the time when they are over, which some proxies tell. */
function secondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
  return Number.isNaN(seconds) ? undefined : seconds;
}
