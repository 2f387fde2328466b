import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { scopeNames } from "@tandem/contract/scopes";
import { ApiError } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { newKey } from "../../http/key-format.ts";
import { leaveCounts, takeOverCounts } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import { afterRemoval, removeOrRetire } from "../account-deletion/delete-account.ts";
import { addAccount, lockCaller, type NewAccount } from "../accounts/accounts.queries.ts";
import { findOwnAgent, readAgents } from "../accounts/agents.queries.ts";
import { placeholder } from "../accounts/placeholder.ts";
import { requireRecentProof } from "../accounts/reauthentication.ts";
import { beginAgentSession } from "../accounts/sessions.ts";
import { agentAttempt, countAttempt } from "../accounts/throttle.ts";
import {
  fingerprintOf,
  insertKey,
  type NewKey,
  readEnd,
  readScopes,
  type StoredKey,
} from "./keys.queries.ts";

export const agents = {
  listAgents: async (ctx) => ({ agents: await readAgents(ctx.read, ctx.caller.userId) }),
  createAgent: async (ctx, input) => {
    const scopes = readScopes(input.scopes, scopeNames);
    const expiresAt = readEnd(ctx, input.expiresAt);
    return ctx.write(async (tx) => {
      await requireRecentProof(tx, ctx, limits.provenHours * HOUR);
      const secret = newKey();
      const options = { scopes, expiresAt, approval: input.approval, ...fingerprintOf(secret) };
      return { ...(await createAgent(ctx, tx, input, options)), secret };
    });
  },
  async deleteAgent(ctx, { id }) {
    const response = await ctx.write(async (tx) => {
      await lockCaller(tx, ctx.caller);
      await findOwnAgent(tx, id, ctx.caller);
      ctx.concerns("user", id);
      await leaveCounts(tx, id, ctx.caller.userId, ctx.now);
      await removeOrRetire(tx, id, ctx.now);
      return { deleted: true };
    });
    afterRemoval(ctx.services);
    return response;
  },
  openAgentSession: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findOwnAgent(tx, id, ctx.caller);
      ctx.concerns("user", id);
      return beginAgentSession(ctx, tx, id);
    }),
} satisfies Handlers<"listAgents" | "createAgent" | "deleteAgent" | "openAgentSession">;

/** Creates an agent of the caller, with a key. Throws `agent_limit`, `key_limit`, `invalid_name` or `username_taken`. */
export async function createAgent(
  ctx: SignedIn,
  tx: Db,
  input: Pick<Input<Operations["createAgent"]>, "username" | "displayName" | "bio"> &
    Pick<NewAccount, "textsByAi">,
  options: Pick<NewKey, "scopes" | "expiresAt" | "approval"> & StoredKey & { name?: string },
) {
  const { caller, now } = ctx;
  await lockCaller(tx, caller);
  const others = await readAgents(tx, caller.userId);
  if (others.length >= limits.agentsPerPerson) {
    throw new ApiError(
      "agent_limit",
      `You can have at most ${limits.agentsPerPerson} agents. Delete one first.`,
    );
  }
  const { username, displayName = null, bio = null, textsByAi = false } = input;
  const id = await addAccount(tx, ctx.services.config, {
    username,
    email: placeholder("agent", username),
    passwordHash: null,
    displayName,
    bio,
    textsByAi,
    role: "agent",
    operatorId: caller.userId,
    now,
  });
  const key = await insertKey(ctx, tx, {
    ownerId: caller.userId,
    userId: id,
    name: username,
    ...options,
  });
  ctx.concerns("user", id);
  await takeOverCounts(tx, id, caller.userId, now);
  await countAttempt(ctx, tx, agentAttempt(ctx));
  return { agent: await findOwnAgent(tx, id, caller), key };
}
