import type { ResponseOf } from "@tandem/contract/operation";
import { type OperationName, type Operations, operations } from "@tandem/contract/operations";
import { handlers } from "../features/handlers.ts";
import type { AnyHandler } from "../http/answer-finder.ts";
import { type Context, JsonText } from "../http/context.ts";
import { inputValidatorOf, type RawInput } from "../http/input-validator.ts";
import { ReadContext, type ReadRequest } from "../http/read-context.ts";
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
    const ctx: Context = new AnonymousContext(services, request, null);
    const response = await handler(ctx as Context<never>, input as never);
    return response instanceof JsonText ? JSON.parse(response.text) : response;
  };
}

class AnonymousContext extends ReadContext {
  /** Pages link to the next one themselves. */
  override nextPage(cursor: number | null): number | null {
    return cursor;
  }
}

/** Without anything that a client sends. */
const request: ReadRequest = { url: "", route: undefined, params: {}, headers: {}, ip: null };
