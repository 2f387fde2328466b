import { type CallOptions, type ClientOptions, createClient } from "@tandem/client/index";
import type { Operation } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";

/** Seconds that a call waits when it is told to; a longer wait is told, for whoever calls to decide. */
const PATIENCE = 5;

export interface ClientAnswer {
  answer: object;
  /** Whether this is what the same call was answered before. */
  replayed: boolean;
}

/** Calls an operation that is known by its name alone, as often as it takes. Throws `TandemError`. */
export async function callClient(
  options: ClientOptions,
  op: Operation,
  input: object,
  call: CallOptions,
): Promise<ClientAnswer> {
  const { fetch = globalThis.fetch } = options;
  let replayed = false;
  const noting: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    replayed = response.headers.get("idempotency-replayed") === "true";
    return response;
  };
  const client = createClient({ ...options, fetch: noting, maxWait: PATIENCE });
  // Whatever the input is, it is the service that judges it.
  const method = client[op.name as OperationName] as (input: object, call: CallOptions) => Promise<object>;
  return { answer: await method(input, call), replayed };
}
