import { request } from "node:http";
import type { Caller } from "./callers.ts";

/** A request whose headers have arrived, but not its body. */
export interface PendingRequest {
  finish(): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Sends a request without its body, like a slow upload. Resolves once the server asks for the rest. */
export function startRequest(
  baseUrl: string,
  { options: { key, headers } }: Caller,
  [method, path]: [method: string, path: string],
  body: object,
): Promise<PendingRequest> {
  const bytes = Buffer.from(JSON.stringify(body));
  const credential = key === undefined ? headers : { authorization: `Bearer ${key}` };
  const sending = request(baseUrl + path, {
    method,
    headers: {
      ...credential,
      "content-type": "application/json",
      "content-length": bytes.length,
      expect: "100-continue",
    },
  });
  const answered = new Promise<Awaited<ReturnType<PendingRequest["finish"]>>>((resolve, reject) => {
    sending.on("error", reject);
    sending.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
  });
  return new Promise((resolve, reject) => {
    sending.on("error", reject);
    sending.on("continue", () =>
      resolve({
        finish() {
          sending.end(bytes);
          return answered;
        },
      }),
    );
    sending.flushHeaders();
  });
}
