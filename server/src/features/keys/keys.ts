import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, lockCaller } from "../accounts/accounts.queries.ts";
import { findOwnAgent } from "../accounts/agents.queries.ts";
import { requireRecentProof } from "../accounts/reauthentication.ts";
import { addKey, asKey, type NewKey, noSuchKey, readEnd, readScopes, selectKeys } from "./keys.queries.ts";

const DEFAULT_NAME = "Key";

export const keys = {
  listKeys: async (ctx) => {
    const rows = await selectKeys(ctx.read)
      .where("k.owner_id", "=", ctx.caller.userId)
      .orderBy("k.id", "desc")
      .execute();
    return { keys: rows.map((row) => asKey(row, ctx)) };
  },
  mintKey: async (ctx, input) => {
    const scopes = readScopes(input.scopes, []);
    const expiresAt = readEnd(ctx, input.expiresAt);
    return ctx.write(async (tx) => {
      await requireRecentProof(tx, ctx, limits.provenHours * HOUR);
      return mint(ctx, tx, input, { scopes, expiresAt });
    });
  },
  revokeKey: (ctx, { id }) =>
    ctx.write(async (tx) => {
      // Before the key's webhooks, which the database deletes with it.
      await lockAccount(tx, ctx.caller.userId);
      const deleted = await tx
        .deleteFrom("keys")
        .where("id", "=", id)
        .where("owner_id", "=", ctx.caller.userId)
        .returning("id")
        .executeTakeFirst();
      if (!deleted) throw noSuchKey();
      ctx.concerns("key", id);
      return { revoked: true };
    }),
} satisfies Handlers<"listKeys" | "mintKey" | "revokeKey">;

async function mint(
  ctx: SignedIn,
  tx: Db,
  input: Input<Operations["mintKey"]>,
  options: Pick<NewKey, "scopes" | "expiresAt">,
) {
  const { caller } = ctx;
  const { agentId = null, name, approval } = input;
  await lockCaller(tx, caller);
  const userId = agentId === null ? caller.userId : (await findOwnAgent(tx, agentId, caller)).id;
  const about = { name: name ?? DEFAULT_NAME, approval, ...options };
  return addKey(ctx, tx, { ownerId: caller.userId, userId, ...about });
}
