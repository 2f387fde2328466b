import { type CallOptions, type ClientOptions, createClient, type PendingResult } from "@tandem/client/index";
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
  const client = createClient({ ...options, maxWait: MAX_WAIT });
  // The input's type is unknown here; the service validates it.
  const method = client[op.name as OperationName] as (
    input: object,
    call: CallOptions,
  ) => PendingResult<object>;
  const { data, headers } = await method(input, call).withResponse();
  return { response: data, replayed: headers.get("idempotency-replayed") === "true" };
}
