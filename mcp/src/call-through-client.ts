import { type CallOptions, type ClientOptions, createClient } from "@tandem/client/index";
import type { Operation } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";

/** Seconds that a call waits when told to retry later. A longer wait is an error that leaves the decision to the model. */
const MAX_WAIT = 5;

export interface ClientResponse {
  response: object;
  /** Whether this is the stored response of an earlier call. */
  replayed: boolean;
}

/** Calls an operation by its name, with retries. Throws `TandemError`. */
export async function callThroughClient(
  options: ClientOptions,
  op: Operation,
  input: object,
  call: CallOptions,
): Promise<ClientResponse> {
  const { fetch = globalThis.fetch } = options;
  let replayed = false;
  const observingFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    replayed = response.headers.get("idempotency-replayed") === "true";
    return response;
  };
  const client = createClient({ ...options, fetch: observingFetch, maxWait: MAX_WAIT });
  // The input's type is unknown here; the service validates it.
  const method = client[op.name as OperationName] as (input: object, call: CallOptions) => Promise<object>;
  return { response: await method(input, call), replayed };
}
