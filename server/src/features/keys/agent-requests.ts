import { CLAIM_PATH } from "@tandem/contract/agent-requests";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import { routeOf } from "@tandem/contract/hints";
import { limits } from "@tandem/contract/limits";
import { scopeNames } from "@tandem/contract/scopes";
import { ApiError } from "../../http/api-error.ts";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { requireFree } from "../accounts/accounts.queries.ts";
import { findOwnAgent } from "../accounts/agents.queries.ts";
import { placeholder } from "../accounts/placeholder.ts";
import { requireRecentProof } from "../accounts/reauthentication.ts";
import {
  addressAttempt,
  agentRequestAttempt,
  countAttempt,
  limitAttempts,
  refundAttempt,
  requestCodeAttempt,
} from "../accounts/throttle.ts";
import {
  addAgentRequest,
  asRequest,
  decide,
  findByToken,
  keyOf,
  noteKey,
  type RequestRow,
  requirePending,
  requireRoom,
  spelled,
} from "./agent-requests.queries.ts";
import { createAgent } from "./agents.ts";
import { asKey, readScopes, selectKeys } from "./keys.queries.ts";

/** How an agent without a person asks for an account, and how a person decides. */
export const agentRequests = {
  requestAgent: (ctx, { username, displayName = null, bio = null, scopes }) => {
    const wanted = readScopes(scopes, scopeNames).join(",");
    const add = async (tx: Db) => {
      await requireRoom(tx, ctx.now);
      // A first check, so that the agent can choose another name. The approval checks it again.
      await requireFree(tx, ctx.services.config, { username, email: placeholder("agent", username) });
      const expiresAt = ctx.now + limits.agentRequestMinutes * MINUTE;
      const about = { username, displayName, bio, scopes: wanted };
      const { request, token } = await addAgentRequest(tx, { ...about, expiresAt, now: ctx.now });
      const url = `${ctx.services.baseUrl}${CLAIM_PATH}/${request.code}`;
      return { request, url, token, interval: limits.agentRequestSeconds };
    };
    const attempt = agentRequestAttempt(ctx);
    if (!ctx.dryRun) return limitAttempts(ctx, attempt, () => ctx.write(add));
    return ctx.write(async (tx) => {
      await countAttempt(ctx, tx, attempt);
      return add(tx);
    });
  },
  async claimAgent(ctx, { token }) {
    if (!(await findByToken(ctx.read, token, ctx.now))) {
      const attempt = addressAttempt("wrong tokens", ctx.address, "tokenPerAddress");
      await ctx.services.storage.write((tx) => countAttempt(ctx, tx, attempt));
      throw ended();
    }
    return ctx.write(async (tx) => {
      const request = await findByToken(tx, token, ctx.now);
      if (!request) throw ended();
      const { state, expires_at } = request;
      if (state === "approved") return handOver(ctx, tx, request, token);
      const hasExpired = state === "pending" && expires_at <= ctx.now;
      return { state: hasExpired ? "expired" : state, agent: null, key: null, secret: null };
    });
  },
  readAgentRequest: (ctx, { code }) =>
    limitGuesses(ctx, async () => ({
      request: asRequest(await requirePending(ctx.read, code, ctx.now), spelled(code)),
    })),
  approveAgentRequest: (ctx, { code, username, scopes: chosen, approval }) =>
    limitGuesses(ctx, () =>
      ctx.write(async (tx) => {
        const {
          id,
          display_name,
          bio,
          key_hash: hash,
          key_hint: hint,
          ...wanted
        } = await requirePending(tx, code, ctx.now);
        await requireRecentProof(tx, ctx, limits.provenHours * HOUR);
        await decide(tx, id, "approved");
        const about = {
          username: username ?? wanted.username,
          displayName: display_name,
          bio,
          textsByAi: true,
        };
        const scopes = readScopes(chosen ?? wanted.scopes, []);
        const options = { scopes, expiresAt: null, approval, hash, hint };
        const created = await createAgent(ctx, tx, about, options);
        await noteKey(tx, id, created.key.id, ctx.now + limits.agentKeyHours * HOUR);
        return created;
      }),
    ),
  declineAgentRequest: (ctx, { code }) =>
    limitGuesses(ctx, () =>
      ctx.write(async (tx) => {
        await decide(tx, (await requirePending(tx, code, ctx.now)).id, "declined");
        return { declined: true };
      }),
    ),
} satisfies Handlers<
  "requestAgent" | "claimAgent" | "readAgentRequest" | "approveAgentRequest" | "declineAgentRequest"
>;

/** Counts codes that no request has. Throws `rate_limited` after too many of them. */
async function limitGuesses<T>(ctx: SignedIn, call: () => Promise<T>): Promise<T> {
  const attempt = requestCodeAttempt(ctx);
  // Counted before the call, so that parallel guesses can't exceed the limit.
  const [result] = await limitAttempts(ctx, attempt, () => Promise.allSettled([call()]));
  if (result.status === "fulfilled" || !isNotFound(result.reason)) await refundAttempt(ctx, attempt);
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.code === "not_found";

const ended = () =>
  new ApiError("not_found", "There is no request with this token, or it is no longer kept.", {
    field: "token",
    hint: `Send the \`token\` of the response to ${routeOf("requestAgent")}. If you have its key, use that. If not, ask again.`,
  });

/** The key that an approval created, for its asker. An agent that has used the key has received it, and doesn't get it again. */
async function handOver(ctx: Context, tx: Db, { key_id, salt }: RequestRow, token: string) {
  const row = await selectKeys(tx).where("k.id", "=", Number(key_id)).executeTakeFirst();
  // Revoked, or deleted with its agent, since the request was read.
  const agent = row && (await findOwnAgent(tx, row.user_id, { userId: row.owner_id }).catch(() => null));
  if (!row || !agent) throw ended();
  return {
    state: "approved" as const,
    agent,
    key: asKey(row, ctx),
    secret: row.last_used_at === null ? keyOf(token, salt) : null,
  };
}
