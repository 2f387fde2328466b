import type { ResponseOf } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { FlatClient } from "./client.ts";
import type { CallOptions } from "./request.ts";
import { sleep } from "./retry.ts";

/** A request of `requestAgent`; `interval` is in seconds. */
type Asked = Pick<ResponseOf<Operations["requestAgent"]>, "token" | "interval">;

/**
 * Waits until a person decides about a request for an agent, or until it expires. Returns the decision, with the key in `secret` if
 * the request was approved. Call it again if the response was lost: the key stays available until it is first used.
 */
export async function waitForAgent(
  client: Pick<FlatClient, "claimAgent">,
  { token, interval }: Asked,
  options: CallOptions = {},
): Promise<ResponseOf<Operations["claimAgent"]>> {
  for (;;) {
    const response = await client.claimAgent({ token }, options);
    if (response.state !== "pending") return response;
    await sleep(interval, options.signal);
  }
}
