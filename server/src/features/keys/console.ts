import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { quotaNames } from "@tandem/contract/tiers";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { findOwnAgent } from "../accounts/agents.queries.ts";
import { asKey, findOwnKey, noSuchKey } from "./keys.queries.ts";

/** How people control their agents and keys. */
export const console = {
  editKey: (ctx, input) => ctx.write((tx) => editKey(ctx, tx, input)),
  editAgent: (ctx, { id, paused }) =>
    ctx.write(async (tx) => {
      await findOwnAgent(tx, id, ctx.caller);
      ctx.concerns("user", id);
      await tx
        .updateTable("users")
        .set({ paused: Number(paused) })
        .where("id", "=", id)
        .execute();
      return { agent: await findOwnAgent(tx, id, ctx.caller) };
    }),
  pauseAll: (ctx, { paused }) => ctx.write((tx) => pauseAll(ctx, tx, Number(paused))),
} satisfies Handlers<"editKey" | "editAgent" | "pauseAll">;

async function editKey(ctx: SignedIn, tx: Db, input: Input<Operations["editKey"]>) {
  const { userId } = ctx.caller;
  const { id, name, paused, approval, caps } = input;
  const key = await tx
    .updateTable("keys")
    .set((eb) => ({
      name: name ?? eb.ref("name"),
      paused: paused === undefined ? eb.ref("paused") : Number(paused),
      approval: approval === undefined ? eb.ref("approval") : Number(approval),
      caps: caps === undefined ? eb.ref("caps") : capsJson(caps),
    }))
    .where("id", "=", id)
    .where("owner_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  if (!key) throw noSuchKey();
  ctx.concerns("key", id);
  return { key: asKey(await findOwnKey(tx, id, userId), ctx) };
}

/** The caps that are set, as JSON; null for none. */
function capsJson(caps: Input<Operations["editKey"]>["caps"]): string | null {
  const set = quotaNames.flatMap((name) => (caps?.[name] == null ? [] : [[name, caps[name]] as const]));
  return set.length === 0 ? null : JSON.stringify(Object.fromEntries(set));
}

async function pauseAll({ caller }: SignedIn, tx: Db, paused: number) {
  const agents = await tx
    .updateTable("users")
    .set({ paused })
    .where("operator_id", "=", caller.userId)
    .where("paused", "!=", paused)
    .returning("id")
    .execute();
  const keys = await tx
    .updateTable("keys")
    .set({ paused })
    .where("owner_id", "=", caller.userId)
    .where("paused", "!=", paused)
    .returning("id")
    .execute();
  return { agents: agents.length, keys: keys.length };
}
