import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import type { CallResponse } from "./callers.ts";

/** A raw request: unlike `fetch`, nothing is corrected. */
export interface RawRequest {
  method?: string;
  /** Path and query, sent unchanged. */
  path: string;
  /** Several values are sent as lines of their own. */
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer;
}

export interface RawResponse extends CallResponse {
  text: string;
}

/** Sends a request over HTTP, unchecked. */
export function sendRequest(baseUrl: string, request: RawRequest): Promise<RawResponse> {
  const { method = "GET", path, body, headers: sent = {} } = request;
  const hasLength = body === undefined || "transfer-encoding" in sent;
  const length = hasLength ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sending = httpRequest(
      { hostname, port, method, path, headers: { ...length, ...sent } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        const isStream =
          method !== "HEAD" && /^text\/event-stream/.test(response.headers["content-type"] ?? "");
        const over = () => {
          const text = Buffer.concat(chunks).toString();
          const headers = new Headers();
          for (let i = 0; i < response.rawHeaders.length; i += 2)
            headers.append(String(response.rawHeaders[i]), String(response.rawHeaders[i + 1]));
          const isPlain = text !== "" && !headers.has("content-encoding");
          const isJson = isPlain && /^application\/json/.test(headers.get("content-type") ?? "");
          resolve({ status: response.statusCode ?? 0, headers, text, body: isJson ? JSON.parse(text) : {} });
        };
        // A stream doesn't end; its first chunk is the response.
        if (!isStream) return response.on("end", over);
        return response.once("data", () => {
          over();
          response.destroy();
        });
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}

/** Sends bytes, valid HTTP or not, and returns everything received until the server disconnects. */
export function sendBytes(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}
