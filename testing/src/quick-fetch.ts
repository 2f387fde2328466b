import { Agent, type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

const agent = new Agent({ keepAlive: true });

/** Statuses of responses that can't have a body. */
const EMPTY = [204, 304];

/**
 * `fetch` over `node:http`, in a third of its processor time: most of what a test's request took. It doesn't follow redirects. Forms
 * and HTTPS are left to `fetch`.
 */
export const quickFetch: typeof fetch = async (address, init = {}) => {
  const { method = "GET", headers, body = null, signal } = init;
  const url = new URL(String(address));
  if (url.protocol !== "http:" || (body !== null && typeof body !== "string")) return fetch(address, init);
  const bytes = body === null ? null : Buffer.from(body);
  const sent = new Headers({
    accept: "*/*",
    "user-agent": "node",
    ...Object.fromEntries(new Headers(headers)),
  });
  const options = {
    ...{ agent, method, ...(signal && { signal }) },
    headers: { ...Object.fromEntries(sent), ...(bytes && { "content-length": bytes.length }) },
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, options, resolve).on("error", reject).end(bytes);
    });
    return await responseOf(response);
  } catch (error) {
    throw signal?.aborted ? signal.reason : new TypeError("fetch failed", { cause: error });
  }
};

async function responseOf(message: IncomingMessage): Promise<Response> {
  const { rawHeaders, statusCode: status = 0, statusMessage: statusText = "" } = message;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  const isStream = headers.get("content-type")?.startsWith("text/event-stream");
  const body = isStream ? (Readable.toWeb(message) as ReadableStream) : await buffer(message);
  return new Response(EMPTY.includes(status) ? null : body, { status, statusText, headers });
}
