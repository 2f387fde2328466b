import type { Route } from "@tandem/contract/routes";
import type { Upload, UploadField } from "./uploads.ts";

export interface ClientOptions {
  /** The service's address, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key. Without one, the platform's cookies are used, if it has any. */
  key?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
  /**
   * The maximum time that a call may spend waiting for retries, in seconds; 60 by default. A call that would have to wait
   * longer fails immediately. With 0, every call is a single request.
   */
  maxWait?: number;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Validates and executes the call, then rolls it back. */
  dryRun?: boolean;
  /** Makes a repeated call return the first one's response. By default, each write gets a new key unless `maxWait` is 0. */
  idempotencyKey?: string;
  /** Aborts the call, whether it is in progress or waiting. */
  signal?: AbortSignal;
  /** Overrides the client's `maxWait`. */
  maxWait?: number;
}

/** A request that can be sent repeatedly. */
export interface PreparedRequest {
  url: URL;
  send(): Promise<Response>;
}

/** Throws a `TypeError` unless `baseUrl` is an http or https address; in browsers, it may be relative. */
export function checkBaseUrl({ baseUrl }: ClientOptions): void {
  const wrong = (problem: string) =>
    new TypeError(`baseUrl ${problem}. Pass the server's address, such as "https://tandem.example".`);
  if (typeof baseUrl !== "string") throw wrong("is required");
  const url = URL.canParse(baseUrl, globalThis.location?.href) && new URL(baseUrl, globalThis.location?.href);
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrong(`must begin with http:// or https://, unlike ${JSON.stringify(baseUrl)}`);
}

/** Characters of a query parameter: more than any operation takes, and few enough for a URL if a whole resource is passed. */
const LONGEST = 1000;

/** Sends an operation's request once and returns the raw response. */
export async function send(
  client: ClientOptions,
  route: Route,
  input: object,
  call: CallOptions = {},
): Promise<Response> {
  return (await requestOf(client, route, input, call)).send();
}

/** Prepares a request. Throws if it is invalid. */
export async function requestOf(
  client: ClientOptions,
  declared: Route,
  input: object,
  call: CallOptions,
): Promise<PreparedRequest> {
  const { fetch = globalThis.fetch, baseUrl, key } = client;
  const values = input as Record<string, unknown>;
  const route = withOthers(declared, values);
  const headers = new Headers({ ...client.headers, ...call.headers });
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
  if (call.idempotencyKey !== undefined) headers.set("idempotency-key", JSON.stringify(call.idempotencyKey));
  const body = await bodyOf(route, values, call.signal);
  // For a form, fetch sets the type with the boundary.
  if (typeof body === "string") headers.set("content-type", "application/json");
  const init: RequestInit = { method: route.method, headers, redirect: "manual" };
  if (body !== null) init.body = body;
  if (call.signal) init.signal = call.signal;
  const address = baseUrl.replace(/\/+$/, "") + addressOf(route, values, call.dryRun ?? false);
  const url = new URL(address, globalThis.location?.href);
  return { url, send: () => fetch(url.href, init) };
}

/**
 * The route with the fields of an input that it doesn't have: the service refuses them with an error that names the right one, or takes
 * them if it is newer than this client.
 */
function withOthers(route: Route, values: Record<string, unknown>): Route {
  const { method, path, query, body, files } = route;
  const taken = [...query, ...body, ...Object.keys(files)];
  const others = Object.keys(values).filter(
    (name) => values[name] !== undefined && !taken.includes(name) && !path.includes(`{${name}}`),
  );
  const part = method === "GET" ? "query" : "body";
  return { ...route, [part]: [...route[part], ...others] };
}

function addressOf(route: Route, values: Record<string, unknown>, dryRun: boolean): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (values[name] == null || values[name] === "") throw new TypeError(`${name} is required`);
    const value = String(values[name]);
    // `.` and `..` would address another path.
    if (value === "." || value === "..") throw new TypeError(`${name} can't be ${value}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of route.query) {
    if (values[name] !== undefined) query.set(name, String(values[name]).slice(0, LONGEST));
  }
  if (dryRun) query.set("dryRun", "1");
  return query.size > 0 ? `${path}?${query}` : path;
}

/** JSON, or a form if there are files. */
async function bodyOf(
  route: Route,
  values: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<string | FormData | null> {
  const fields = route.body.filter((name) => values[name] !== undefined);
  const files = Object.keys(route.files);
  if (files.length > 0 && (route.body.length === 0 || files.some((name) => values[name] != null)))
    return formDataOf(route, fields, values, signal);
  return route.body.length > 0
    ? JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name]])))
    : null;
}

/** Forms have no null. Null fields are left out, which means the same for operations that take files. */
async function formDataOf(
  route: Route,
  fields: string[],
  values: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<FormData> {
  const form = new FormData();
  for (const name of fields) {
    const value = values[name];
    if (value !== null) form.set(name, Array.isArray(value) ? JSON.stringify(value) : String(value));
  }
  for (const [name, limit] of Object.entries(route.files)) {
    for (const file of [values[name] ?? []].flat() as Upload[])
      form.append(name, await blobOf(file, { field: name, limit, signal }));
  }
  return form;
}

/** Loads the code for paths and streams on first use, because browsers send Blobs. */
async function blobOf(upload: Upload, field: UploadField): Promise<Blob> {
  return upload instanceof Blob ? upload : (await import("./uploads.ts")).bufferUpload(upload, field);
}
