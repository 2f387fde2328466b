import type { ResponseOf } from "@tandem/contract/operation";
import { type OperationName, type Operations, operations } from "@tandem/contract/operations";
import { handlers } from "../features/handlers.ts";
import { type Context, JsonText } from "../http/context.ts";
import { inputValidatorOf, type RawInput } from "../http/input-validator.ts";
import type { AnyHandler } from "../http/route.ts";
import type { Services } from "../http/services.ts";

type CallInput = Partial<Pick<RawInput, "params" | "query">>;

/** Calls an operation as an anonymous client. Throws the API's errors. */
export type AnonymousClient = <N extends OperationName>(
  name: N,
  input: CallInput,
) => Promise<ResponseOf<Operations[N]>>;

/**
 * Pages show what an anonymous client gets from the API: same validation, same handler, same response; but their addresses may have
 * any further parameters. It calls handlers
 * directly: through the in-process fetch and the typed client, Markdown pages and feeds took 36 to 88 % more CPU time.
 */
export function anonymousClient(services: Services): AnonymousClient {
  return async (name, { params = {}, query = "" }) => {
    const input = inputValidatorOf(operations[name]).validate({ params, query, body: null }, null, "ignored");
    const handler = handlers[name] as AnyHandler;
    const response = await handler(anonymousContext(services) as Context<never>, input as never);
    return response instanceof JsonText ? JSON.parse(response.text) : response;
  };
}

function anonymousContext(services: Services): Context<null> {
  const { storage } = services;
  return {
    services,
    caller: null,
    now: services.now(),
    dryRun: false,
    method: "GET",
    address: "",
    device: null,
    read: storage.read,
    recent: () => storage.recent(async () => 0),
    cookies: {},
    concerns: () => {},
    nextPage: (cursor) => cursor,
    write: refuse,
    rehearse: refuse,
    writeTogether: refuse,
    setCookie: refuse,
  };
}

function refuse(): never {
  throw new Error("Pages are read-only");
}
