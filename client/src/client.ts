import type { FilesOf } from "@tandem/contract/files";
import type { Answer, Input } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import { type Route, routes } from "@tandem/contract/routes";
import { answerTo } from "./answer.ts";
import { eventsOf, type StreamEvent } from "./event-stream.ts";
import { type Pages, pagesOf } from "./pages.ts";
import { type CallOptions, type ClientOptions, requestOf } from "./request.ts";
import { patiently } from "./retry.ts";
import type { Upload } from "./uploads.ts";

export type { CallOptions, ClientOptions, StreamEvent };

type NoInput = Record<never, never>;

/** What a client sends. */
export type Sent<O> = Input<O> & FilesOf<O, { picture: Upload; video: Upload }>;

/** The same, knowing which of a list's fields are asked for. */
export type Trimming<O, Fields extends string> = Omit<Sent<O>, "fields"> & { fields?: Fields };

type Words<Text extends string> = Text extends `${infer Word},${infer Rest}` ? Word | Words<Rest> : Text;

/** An item of which only some fields were asked for; where nobody knows which, any may be missing. */
export type Trimmed<Item, Fields extends string> = [Fields] extends [never]
  ? Item
  : string extends Fields
    ? Partial<Item>
    : Pick<Item, Extract<Words<Fields>, keyof Item>>;

type TrimmedAnswer<A, Fields extends string> = [Fields] extends [never]
  ? A
  : { [K in keyof A]: A[K] extends (infer Item)[] ? Trimmed<Item, Fields>[] : A[K] };

/**
 * Where pages are followed by hand, a cursor comes from an answer and leads to the next; types that hang on what is
 * asked for would then hang on themselves. So there it is the walk through all pages that takes `fields`.
 */
type Plain<O> = Answer<O> extends { nextCursor: number | null } ? Omit<Sent<O>, "fields"> : Sent<O>;

type Method<O> = O extends { streams: true } ? Stream<O> : Asking<O>;

/** Events, one after the other: `for await (const { event, data } of tandem.notificationStream())`. */
type Stream<O> = (input?: Sent<O>, options?: CallOptions) => AsyncGenerator<StreamEvent<O>, void>;

type Asking<O> = "fields" extends keyof Plain<O>
  ? NoInput extends Sent<O>
    ? <Fields extends string = never>(
        input?: Trimming<O, Fields>,
        options?: CallOptions,
      ) => Promise<TrimmedAnswer<Answer<O>, Fields>>
    : <Fields extends string = never>(
        input: Trimming<O, Fields>,
        options?: CallOptions,
      ) => Promise<TrimmedAnswer<Answer<O>, Fields>>
  : NoInput extends Sent<O>
    ? (input?: Plain<O>, options?: CallOptions) => Promise<Answer<O>>
    : (input: Plain<O>, options?: CallOptions) => Promise<Answer<O>>;

/** A method for each operation: takes its path, query, body and files in one object, and resolves to its answer. */
export type Methods = { [N in OperationName]: Method<Operations[N]> };

export interface Client extends Methods {
  /** The lists that go on from page to page, item by item: `for await (const post of tandem.pages.listPosts())`. */
  readonly pages: Pages;
}

/** Seconds. */
const MAX_WAIT = 60;

/** A client whose methods throw `TandemError` for everything that is no success, once waiting doesn't help. */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(routes).map(([name, route]) => [
    name,
    (input: object = {}, call: CallOptions = {}) =>
      route.streams ? listen(options, route, input, call) : perform(options, route, input, call),
  ]);
  const client = Object.fromEntries(methods) as Methods;
  return { ...client, pages: pagesOf(client) };
}

/**
 * Sends a request until it is answered. A write is sent under a key of its own, so that sending it again after the
 * answer was lost does nothing twice; what takes no such key is sent again only where nothing can have been done.
 */
async function perform(client: ClientOptions, route: Route, input: object, call: CallOptions) {
  const maxWait = call.maxWait ?? client.maxWait ?? MAX_WAIT;
  const keyed = route.keyed && !call.dryRun && maxWait > 0;
  const idempotencyKey = call.idempotencyKey ?? (keyed ? newKey() : undefined);
  const once = { ...call, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const request = await requestOf(client, route, input, once);
  const repeatable =
    route.method === "GET" || call.dryRun === true || (route.keyed && idempotencyKey !== undefined);
  const { signal } = call;
  return patiently(() => answerTo(route, request, signal), { maxWait, repeatable, signal });
}

function listen(client: ClientOptions, route: Route, input: object, call: CallOptions) {
  const { signal, maxWait = client.maxWait ?? MAX_WAIT } = call;
  const open = async (id: string) =>
    (await requestOf(client, route, input, id ? withHeader(call, "last-event-id", id) : call))();
  return eventsOf(route, open, { maxWait, repeatable: true, signal });
}

function withHeader(call: CallOptions, name: string, value: string): CallOptions {
  return { ...call, headers: { ...call.headers, [name]: value } };
}

/** `crypto.randomUUID` would need a page that came by HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
