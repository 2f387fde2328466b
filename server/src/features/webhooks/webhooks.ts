import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { NotificationType } from "@tandem/contract/notifications";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { validateAddress } from "../../outgoing/address-guard.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import { isPublicName } from "../../outgoing/public-name.ts";
import type { Db } from "../../storage/storage.ts";
import { lockCaller } from "../accounts/accounts.queries.ts";
import { findOwnAgent } from "../accounts/agents.queries.ts";
import { newSecret } from "./sign.ts";
import { asWebhook, type Hook, hooksOf, lockManaged, managedHooks } from "./webhooks.queries.ts";

export const webhooks = {
  listWebhooks: async (ctx) => {
    const rows = await managedHooks(ctx.read, ctx.caller)
      .orderBy("id", "desc")
      .limit(limits.webhooksPerAccount)
      .execute();
    return { webhooks: rows.map(asWebhook) };
  },
  createWebhook: async (ctx, input) => {
    const url = requireAllowedUrl(ctx, "url", input.url);
    return ctx.write((tx) => create(ctx, tx, { ...input, url }));
  },
  editWebhook: async (ctx, { id, ...input }) => {
    const { url } = input;
    const changes = url === undefined ? input : { ...input, url: requireAllowedUrl(ctx, "url", url) };
    return ctx.write(async (tx) => {
      const hook = await lockManaged(tx, id, ctx.caller);
      return { webhook: asWebhook(await change(tx, hook, changesOf(hook, changes))) };
    });
  },
  deleteWebhook: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await lockManaged(tx, id, ctx.caller);
      await tx.deleteFrom("webhooks").where("id", "=", id).execute();
      return { deleted: true };
    }),
  rotateWebhookSecret: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const hook = await lockManaged(tx, id, ctx.caller);
      const plain = newSecret();
      const secret = tx.secrets.encrypt("webhooks", plain);
      const old = {
        old_secret: hook.secret,
        old_secret_until: ctx.now + limits.webhookSecretHours * HOUR,
      };
      return { webhook: asWebhook(await change(tx, hook, { secret, ...old })), secret: plain };
    }),
} satisfies Handlers<
  "listWebhooks" | "createWebhook" | "editWebhook" | "deleteWebhook" | "rotateWebhookSecret"
>;

/**
 * Rejects URLs that are never allowed; the IP addresses of the host are checked on each request. Returns the URL in
 * canonical form and without its fragment, as it is stored.
 */
export function requireAllowedUrl({ services }: SignedIn, field: string, url: string): string {
  const { outgoingAllow } = services.config;
  const hint = `${field} must lead to a server on the public internet, by http or https.`;
  try {
    const { href, hostname } = validateAddress(url, undefined, outgoingAllow);
    // Names of a network that is allowed may be known to its name servers only.
    if (outgoingAllow.length === 0 && !isPublicName(hostname))
      throw new ApiError("invalid_input", `${hostname} isn't a name on the public internet.`, {
        field,
        hint,
      });
    return href;
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const isForbidden = error.reason === "forbidden_address";
    throw new ApiError("invalid_input", error.message, { field, hint: isForbidden ? hint : undefined });
  }
}

async function create(ctx: SignedIn, tx: Db, input: Input<Operations["createWebhook"]>) {
  const { caller, now } = ctx;
  const [ownerId, userId] = await accountsOf(tx, caller, input.agentId ?? null);
  await lockCaller(tx, caller, ownerId);
  await requireBelowLimit(tx, ownerId);
  const secret = newSecret();
  const row = await tx
    .insertInto("webhooks")
    .values({
      owner_id: ownerId,
      user_id: userId,
      key_id: caller.key?.id ?? null,
      url: input.url,
      types: serializeTypes(input.types ?? null),
      secret: tx.secrets.encrypt("webhooks", secret),
      state: "working",
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { webhook: asWebhook(row), secret };
}

/** Who is responsible for a new webhook, and whose notifications it sends. Throws `not_found` or `invalid_input`. */
async function accountsOf(tx: Db, caller: Caller, agentId: number | null): Promise<[number, number]> {
  if (!caller.key && !caller.isAgent)
    return [caller.userId, agentId === null ? caller.userId : (await findOwnAgent(tx, agentId, caller)).id];
  if (agentId !== null && !(caller.isAgent && agentId === caller.userId))
    throw invalid("agentId", "This webhook can only be for your own account. Leave agentId out.");
  return [await responsibleFor(tx, caller.userId), caller.userId];
}

/** The operator of an agent; a person themselves. */
async function responsibleFor(tx: Db, userId: number): Promise<number> {
  const { operator_id } = await tx
    .selectFrom("users")
    .select("operator_id")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return operator_id ?? userId;
}

async function requireBelowLimit(tx: Db, ownerId: number): Promise<void> {
  const own = await hooksOf(tx, ownerId).limit(limits.webhooksPerAccount).execute();
  if (own.length < limits.webhooksPerAccount) return;
  const max = limits.webhooksPerAccount;
  throw new ApiError("webhook_limit", `A person can have at most ${max} webhooks. Delete one first.`);
}

function serializeTypes(types: readonly NotificationType[] | null): string | null {
  return types === null ? null : [...new Set(types)].join(",");
}

type Changes = Omit<Input<Operations["editWebhook"]>, "id">;

function changesOf(hook: Hook, { url = hook.url, types, enabled }: Changes): Partial<Hook> {
  const toggled = enabled !== undefined && enabled !== (hook.state === "working");
  return {
    url,
    ...(url !== hook.url && { confirmed_at: null, failing_since: null }),
    ...(types !== undefined && { types: serializeTypes(types) }),
    // The sender gives up the waiting deliveries of a disabled webhook.
    ...(toggled && { state: enabled ? "working" : "off", failing_since: null }),
  };
}

async function change(tx: Db, { id }: Hook, values: Partial<Hook>): Promise<Hook> {
  return tx.updateTable("webhooks").set(values).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}
