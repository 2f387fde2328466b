import type { Handlers } from "../../http/context.ts";
import { removableComment, removablePost, remove, restore } from "./decide.ts";
import { asDecision } from "./decisions.queries.ts";

export const removals = {
  removePost: ({ write, now }, { id, reason }) =>
    write(async (tx) => ({
      decision: asDecision(await remove(tx, removablePost, id, { reason, now }), now),
    })),
  restorePost: ({ write, now }, { id }) =>
    write(async (tx) => ({ decision: asDecision(await restore(tx, removablePost, id, now), now) })),
  removeComment: ({ write, now }, { id, reason }) =>
    write(async (tx) => ({
      decision: asDecision(await remove(tx, removableComment, id, { reason, now }), now),
    })),
  restoreComment: ({ write, now }, { id }) =>
    write(async (tx) => ({ decision: asDecision(await restore(tx, removableComment, id, now), now) })),
} satisfies Handlers<"removePost" | "restorePost" | "removeComment" | "restoreComment">;
