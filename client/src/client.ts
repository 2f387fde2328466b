import type { FilesOf } from "@tandem/contract/files";
import { type Answer, type Input, type Operation, takesForm } from "@tandem/contract/operation";
import { type OperationName, type Operations, operations } from "@tandem/contract/operations";
import { TandemError } from "./tandem-error.ts";

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key; without one, cookies speak for the caller where the platform keeps them. */
  key?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Judged and done, then rolled back. */
  dryRun?: boolean;
  /** Makes a repetition of the call answer with the first one's result. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type NoInput = Record<never, never>;

/** What a client sends. A file is a Blob; in Node, `fs.openAsBlob` makes one of a file that isn't read before it's sent. */
export type Sent<O> = Input<O> & FilesOf<O, { picture: Blob; video: Blob }>;

/** A method for each operation: takes its path, query, body and files in one object, and resolves to its answer. */
export type Client = {
  [N in OperationName]: NoInput extends Sent<Operations[N]>
    ? (input?: Sent<Operations[N]>, options?: CallOptions) => Promise<Answer<Operations[N]>>
    : (input: Sent<Operations[N]>, options?: CallOptions) => Promise<Answer<Operations[N]>>;
};

/** A client whose methods throw {@link TandemError} for every answer that is no success. */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, op]) => [
    name,
    async (input: object = {}, call: CallOptions = {}) => {
      const response = await send(options, op, input, call);
      if (op.redirects && isRedirect(response))
        return { location: response.headers.get("location") ?? response.url };
      const body = await readJson(response);
      if (response.ok && body !== null) return body;
      throw new TandemError(response.status, body ?? notOurs, response.headers.get("retry-after"));
    },
  ]);
  return Object.fromEntries(methods) as Client;
}

/** Browsers hide where a redirect leads; they do say that it is one, and can follow its own address. */
function isRedirect({ status, type }: Response): boolean {
  return status === 302 || type === "opaqueredirect";
}

/** What something between us and the service said, such as a proxy's page about an outage. */
const notOurs = { error: "The answer did not come from Tandem.", code: "overloaded" } as const;

async function readJson(response: Response) {
  try {
    return JSON.parse(await response.text());
  } catch {
    return null;
  }
}

/** Sends one operation's request and gives back the bare answer. */
export async function send(
  client: ClientOptions,
  op: Operation,
  input: object,
  call: CallOptions = {},
): Promise<Response> {
  const { fetch = globalThis.fetch, baseUrl, key } = client;
  const { url, body } = requestOf(op, input, call.dryRun ?? false);
  const headers: Record<string, string> = { ...client.headers, ...call.headers };
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  // A form names its own type, with the line that parts its fields.
  if (typeof body === "string") headers["content-type"] = "application/json";
  if (call.idempotencyKey !== undefined) headers["idempotency-key"] = JSON.stringify(call.idempotencyKey);
  const init: RequestInit = { method: op.method, headers, redirect: "manual" };
  if (body !== null) init.body = body;
  if (call.signal) init.signal = call.signal;
  return fetch(baseUrl + url, init);
}

/** Sorts an input into path, query and body, as the contract declares them. */
function requestOf(
  op: Operation,
  input: object,
  dryRun: boolean,
): { url: string; body: string | FormData | null } {
  const values = input as Record<string, unknown>;
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = new URLSearchParams();
  for (const name of Object.keys(op.query.properties)) {
    if (values[name] !== undefined) query.set(name, String(values[name]));
  }
  if (dryRun) query.set("dryRun", "1");
  return { url: query.size > 0 ? `${path}?${query}` : path, body: bodyOf(op, values) };
}

/** JSON, unless there are files. */
function bodyOf(op: Operation, values: Record<string, unknown>): string | FormData | null {
  const names = Object.keys(op.body.properties);
  const fields = names.filter((name) => values[name] !== undefined);
  if (takesForm(op) && (names.length === 0 || Object.keys(op.files).some((name) => values[name])))
    return formOf(op, fields, values);
  return names.length > 0
    ? JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name]])))
    : null;
}

/** A form has no null: what is null is left out, which means the same to operations that take files. */
function formOf(op: Operation, fields: string[], values: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const name of fields) {
    const value = values[name];
    if (value !== null) form.set(name, Array.isArray(value) ? JSON.stringify(value) : String(value));
  }
  for (const name of Object.keys(op.files)) {
    const file = values[name];
    if (file instanceof Blob) form.set(name, file);
  }
  return form;
}
