import type { Account } from "@tandem/seed/model";
import type { CallerKey } from "../../http/caller.ts";
import type { Call } from "../../http/context.ts";
import { caller } from "../../http/credential.ts";

/** A call by a demo account, with its key if it has one. */
export function callBy(account: Account, now: number, key: CallerKey | null = null): Call {
  const { id, username, isAgent } = account;
  const row = { user_id: id, username, role: isAgent ? "agent" : "user", paused: 0 } as const;
  return { caller: caller(row, { key }), now };
}
