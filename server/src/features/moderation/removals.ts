import type { Handlers } from "../../http/context.ts";
import { clearVersions } from "../versions/clear-versions.ts";
import { removableComment, removablePost, remove, restore } from "./decide.ts";
import { asDecision } from "./decisions.queries.ts";

export const removals = {
  removePost: ({ write, now }, { id, reason }) =>
    write(async (tx) => ({
      decision: asDecision(await remove(tx, removablePost, id, { reason, now }), now),
    })),
  removePostVersions: ({ write, now }, { id }) =>
    write(async (tx) => {
      await removablePost.lock(tx, id);
      return { cleared: await clearVersions(tx, "post", id, { by: "moderator", now }) };
    }),
  removeCommentVersions: ({ write, now }, { id }) =>
    write(async (tx) => {
      await removableComment.lock(tx, id);
      return { cleared: await clearVersions(tx, "comment", id, { by: "moderator", now }) };
    }),
  restorePost: ({ write, now }, { id }) =>
    write(async (tx) => ({ decision: asDecision(await restore(tx, removablePost, id, now), now) })),
  removeComment: ({ write, now }, { id, reason }) =>
    write(async (tx) => ({
      decision: asDecision(await remove(tx, removableComment, id, { reason, now }), now),
    })),
  restoreComment: ({ write, now }, { id }) =>
    write(async (tx) => ({ decision: asDecision(await restore(tx, removableComment, id, now), now) })),
} satisfies Handlers<
  | "removePost"
  | "removePostVersions"
  | "restorePost"
  | "removeComment"
  | "removeCommentVersions"
  | "restoreComment"
>;
