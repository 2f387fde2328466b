import type { FilesOf } from "@tandem/contract/files";
import type { Input, ResponseOf } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import { type Route, routes } from "@tandem/contract/routes";
import type { StreamEvent } from "./event-stream.ts";
import { type Pages, pagesOf } from "./pages.ts";
import { type CallOptions, type ClientOptions, requestOf } from "./request.ts";
import { readResponse } from "./response.ts";
import type { Result } from "./result.ts";
import { withRetries } from "./retry.ts";
import type { Upload } from "./uploads.ts";

export type { CallOptions, ClientOptions, StreamEvent };

type NoInput = Record<never, never>;

/** The same type, written out in the compiler's messages instead of as an expression over the contract. */
type WrittenOut<T> = { [K in keyof T]: T[K] } & {};

interface Uploads {
  picture: Upload;
  video: Upload;
  opml: Upload;
  archive: Upload;
}

/** The input of a method: path, query and body fields, and files. */
export type Sent<O> = WrittenOut<Input<O> & FilesOf<O, Uploads, Uploads>>;

/** The same, with the type of `fields` known. */
export type SentWithFields<O, Fields extends string> = Omit<Sent<O>, "fields"> & { fields?: Fields };

type SplitCsv<Text extends string> = Text extends `${infer Word},${infer Rest}`
  ? Word | SplitCsv<Rest>
  : Text;

/** An item with only the requested fields. If they aren't known at compile time, all are optional. */
export type Trimmed<Item, Fields extends string> = [Fields] extends [never]
  ? Item
  : string extends Fields
    ? Partial<Item>
    : Pick<Item, Extract<SplitCsv<Fields>, keyof Item>>;

type TrimmedResponse<A, Fields extends string> = [Fields] extends [never]
  ? A
  : { [K in keyof A]: A[K] extends (infer Item)[] ? Trimmed<Item, Fields>[] : A[K] };

/**
 * The input of a paged list, without `fields`: with it, the type of a response would depend on the cursor from the previous
 * response, and so on itself. `client.pages` accepts `fields` instead.
 */
type InputOf<O> = ResponseOf<O> extends { nextCursor: number | null } ? Omit<Sent<O>, "fields"> : Sent<O>;

type Method<O> = O extends { streams: true } ? Stream<O> : Call<O>;

/** Iterates over events: `for await (const { event, data } of tandem.notificationStream())`. */
type Stream<O> = (input?: Sent<O>, options?: CallOptions) => AsyncGenerator<StreamEvent<O>, void>;

/** The promise of a response. `await call.withResponse()` also tells the request's id and the remaining quotas. */
export interface PendingResult<T> extends Promise<T> {
  withResponse(): Promise<Result<T>>;
}

type Call<O> = "fields" extends keyof InputOf<O>
  ? NoInput extends Sent<O>
    ? <Fields extends string = never>(
        input?: SentWithFields<O, Fields>,
        options?: CallOptions,
      ) => PendingResult<TrimmedResponse<ResponseOf<O>, Fields>>
    : <Fields extends string = never>(
        input: SentWithFields<O, Fields>,
        options?: CallOptions,
      ) => PendingResult<TrimmedResponse<ResponseOf<O>, Fields>>
  : NoInput extends Sent<O>
    ? (input?: InputOf<O>, options?: CallOptions) => PendingResult<ResponseOf<O>>
    : (input: InputOf<O>, options?: CallOptions) => PendingResult<ResponseOf<O>>;

/** A method per operation: takes path, query and body fields and files in one object, and resolves to the response. */
export type Methods = { [N in OperationName]: Method<Operations[N]> };

/** A client without namespaces, which is smaller; for the web app. */
export interface FlatClient extends Methods {
  /** Iterates over all items of paged lists: `for await (const post of tandem.pages.listPosts())`. */
  readonly pages: Pages;
}

/** The default of `maxWait`, in seconds. */
const MAX_WAIT = 60;

/** Creates a client. Its methods retry where that can help, and throw `TandemError` if the call fails. */
export function createFlatClient(options: ClientOptions): FlatClient {
  const methods = Object.entries(routes).map(([name, route]) => [
    name,
    (input: object = {}, call: CallOptions = {}) =>
      route.streams
        ? listen(options, route, input, call)
        : pendingResult(perform(options, route, input, call)),
  ]);
  const client = Object.fromEntries(methods) as Methods;
  return { ...client, pages: pagesOf(client) };
}

function pendingResult<T>(call: Promise<{ data: T; response: Response }>): PendingResult<T> {
  const data = call.then((result) => result.data);
  const withResponse = async () => {
    // Only `call` is awaited from here on, so a failure of `data` would be reported as unhandled.
    data.catch(() => {});
    const { resultOf } = await import("./result.ts");
    return resultOf(await call);
  };
  return Object.assign(data, { withResponse });
}

/**
 * Sends a request, with retries. A write gets an idempotency key, so that retrying it after a lost response can't execute it
 * twice. Writes that accept no key are retried only if the service can't have executed them.
 */
async function perform(client: ClientOptions, route: Route, input: object, call: CallOptions) {
  const maxWait = call.maxWait ?? client.maxWait ?? MAX_WAIT;
  const keyed = route.keyed && !call.dryRun && maxWait > 0;
  const idempotencyKey = call.idempotencyKey ?? (keyed ? newIdempotencyKey() : undefined);
  const once = { ...call, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const request = await requestOf(client, route, input, once);
  const repeatable =
    route.method === "GET" || call.dryRun === true || (route.keyed && idempotencyKey !== undefined);
  const { signal } = call;
  return withRetries(() => readResponse(route, request, signal), { maxWait, repeatable, signal });
}

async function* listen(client: ClientOptions, route: Route, input: object, call: CallOptions) {
  const { signal, maxWait = client.maxWait ?? MAX_WAIT } = call;
  // Loaded on first use, because most pages in browsers need no stream.
  const { eventsOf } = await import("./event-stream.ts");
  const open = (id: string) =>
    requestOf(client, route, input, id ? withHeader(call, "last-event-id", id) : call);
  yield* eventsOf(route, open, { maxWait, repeatable: true, signal });
}

function withHeader(call: CallOptions, name: string, value: string): CallOptions {
  return { ...call, headers: { ...call.headers, [name]: value } };
}

/** Not `crypto.randomUUID`, which exists only on HTTPS pages. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
