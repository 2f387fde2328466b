import type { Route } from "@tandem/contract/routes";
import { blobOf, type Upload } from "./uploads.ts";

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key; without one, cookies speak for the caller where the platform keeps them. */
  key?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
  /**
   * Seconds that a call may spend waiting when it is told to come back later, or when nobody answers; 60 if left out. A
   * call that would have to wait longer fails at once. With 0 every call is one request.
   */
  maxWait?: number;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Judged and done, then rolled back. */
  dryRun?: boolean;
  /** Makes a repetition of the call answer with the first one's result. Where there is waiting, each write has one. */
  idempotencyKey?: string;
  /** Ends the call, be it under way or waiting. */
  signal?: AbortSignal;
  /** In place of the client's own. */
  maxWait?: number;
}

/** Sends one operation's request once, and gives back the bare answer. */
export async function send(
  client: ClientOptions,
  route: Route,
  input: object,
  call: CallOptions = {},
): Promise<Response> {
  return (await requestOf(client, route, input, call))();
}

/** A request that can be sent any number of times. Throws what is wrong with it before it is sent. */
export async function requestOf(
  client: ClientOptions,
  route: Route,
  input: object,
  call: CallOptions,
): Promise<() => Promise<Response>> {
  const { fetch = globalThis.fetch, baseUrl, key } = client;
  const values = input as Record<string, unknown>;
  const headers = new Headers({ ...client.headers, ...call.headers });
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
  if (call.idempotencyKey !== undefined) headers.set("idempotency-key", JSON.stringify(call.idempotencyKey));
  const body = await bodyOf(route, values, call.signal);
  // A form names its own type, with the line that parts its fields.
  if (typeof body === "string") headers.set("content-type", "application/json");
  const init: RequestInit = { method: route.method, headers, redirect: "manual" };
  if (body !== null) init.body = body;
  if (call.signal) init.signal = call.signal;
  const url = baseUrl.replace(/\/+$/, "") + addressOf(route, values, call.dryRun ?? false);
  // An address that is none would look later as if nobody answered at it.
  const { protocol } = new URL(url, globalThis.location?.href);
  if (!/^https?:$/.test(protocol)) throw new TypeError("baseUrl begins with http:// or https://");
  return () => fetch(url, init);
}

function addressOf(route: Route, values: Record<string, unknown>, dryRun: boolean): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name]);
    // What is sent would be another address.
    if (value === "." || value === "..") throw new TypeError(`${name} can't be ${value}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of route.query) {
    if (values[name] !== undefined) query.set(name, String(values[name]));
  }
  if (dryRun) query.set("dryRun", "1");
  return query.size > 0 ? `${path}?${query}` : path;
}

/** JSON, unless there are files. */
async function bodyOf(
  route: Route,
  values: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<string | FormData | null> {
  const fields = route.body.filter((name) => values[name] !== undefined);
  const files = Object.keys(route.files);
  if (files.length > 0 && (route.body.length === 0 || files.some((name) => values[name] != null)))
    return formOf(route, fields, values, signal);
  return route.body.length > 0
    ? JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name]])))
    : null;
}

/** A form has no null: what is null is left out, which means the same to operations that take files. */
async function formOf(
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
    const file = values[name];
    if (file != null) form.set(name, await blobOf(file as Upload, { field: name, limit, signal }));
  }
  return form;
}
