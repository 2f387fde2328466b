import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { enqueue, scheduleSooner } from "../../events/outbox.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import type { Db } from "../../storage/storage.ts";
import { asDelivery, asWebhook, type Hook, lockManaged, requireManaged } from "./webhooks.queries.ts";

export const deliveries = {
  testWebhook: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const hook = await lockManaged(tx, id, ctx.caller);
      requireEnabled(hook);
      const data = { webhookId: id, agentId: asWebhook(hook).agentId };
      const [row] = await enqueue(tx, [id], [{ type: TEST_TYPE, at: ctx.now, data }]);
      if (!row) throw new Error("enqueue returned no delivery");
      return { delivery: asDelivery(row) };
    }),
  listDeliveries: async (ctx, { id, limit = limits.page.default, cursor }) => {
    await requireManaged(ctx.read, id, ctx.caller);
    const rows = await latestOf(ctx.read, id, { before: cursor ?? MAX_ID, limit: limit + 1 }).execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { deliveries: page.map(asDelivery), nextCursor };
  },
  retryDelivery: (ctx, { id, deliveryId }) =>
    ctx.write(async (tx) => {
      const hook = await lockManaged(tx, id, ctx.caller);
      const row = await tx
        .updateTable("webhook_deliveries")
        .set({ state: "waiting", due_at: ctx.now })
        .where("id", "=", deliveryId)
        .where("webhook_id", "=", id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw notFound("delivery of this webhook");
      requireEnabled(hook);
      await scheduleSooner(tx, [id], ctx.now);
      return { delivery: asDelivery(row) };
    }),
} satisfies Handlers<"testWebhook" | "listDeliveries" | "retryDelivery">;

export function latestOf(db: Db, webhookId: number, { before, limit }: { before: number; limit: number }) {
  return db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", hideFromPlanner(webhookId))
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit);
}

function requireEnabled({ state }: Hook): void {
  if (state !== "working") throw new ApiError("webhook_disabled");
}
