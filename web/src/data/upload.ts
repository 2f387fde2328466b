import { createFlatClient, type FlatClient } from "@tandem/client";

/** Reports upload progress, in bytes. */
export type Progress = (sent: number, total: number) => void;

/** The longest that the client waits before a retry, in seconds; as everywhere in the app. */
const MAX_WAIT = 3;

/** An API client that reports upload progress. */
export const uploadClient = (progress: Progress): FlatClient =>
  createFlatClient({ baseUrl: location.origin, maxWait: MAX_WAIT, fetch: fetchWithProgress(progress) });

/** A `fetch` that is built on XMLHttpRequest, because `fetch` doesn't report upload progress. */
function fetchWithProgress(progress: Progress): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal, method = "GET", body } = init;
      if (signal?.aborted) return reject(signal.reason);
      const request = new XMLHttpRequest();
      const stop = () => request.abort();
      request.open(method, String(input));
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => progress(loaded, total);
      request.onload = () => resolve(responseFrom(request));
      request.onerror = () => reject(new TypeError("the connection broke off"));
      request.onabort = () => reject(signal?.reason);
      request.onloadend = () => signal?.removeEventListener("abort", stop);
      signal?.addEventListener("abort", stop);
      request.send(body as XMLHttpRequestBodyInit | null);
    });
}

function responseFrom(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}
