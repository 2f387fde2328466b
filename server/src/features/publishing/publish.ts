import type { ApprovableOperation } from "@tandem/contract/drafts";
import type { Input } from "@tandem/contract/operation";
import { type Operations, operations } from "@tandem/contract/operations";
import { publishedFields } from "@tandem/contract/schema";
import { createdIdOf, recordActivity } from "../../http/activity.ts";
import type { Actor } from "../../http/context.ts";
import { refuseDenied } from "../../http/denied-links.ts";
import { refuseSuspended } from "../../http/suspension.ts";
import { moveToPost } from "../../media/rows.ts";
import type { Db } from "../../storage/storage.ts";
import { addComment, editComment } from "../comments/comments.ts";
import type { FoundDraft } from "./drafts.queries.ts";
import type { PostMedia } from "./posts.ts";
import { createPost, editPost } from "./posts.ts";

export interface Published {
  postId: number | null;
  commentId: number | null;
}

type Publishers = {
  [O in ApprovableOperation]: (
    as: Actor,
    tx: Db,
    input: Input<Operations[O]>,
    media: PostMedia | null,
  ) => Promise<Published>;
};

/** Publishing runs the same code as the operation itself. */
const publishers: Publishers = {
  createPost: async (as, tx, input, media) => ({
    postId: createdIdOf((await createPost(as, tx, input, media)).text),
    commentId: null,
  }),
  async editPost(as, tx, input) {
    await editPost(as, tx, input);
    return { postId: input.id, commentId: null };
  },
  createComment: async (as, tx, input) => ({
    postId: input.id,
    commentId: (await addComment(as, tx, input)).comment.id,
  }),
  async editComment(as, tx, input) {
    await editComment(as, tx, input);
    return { postId: null, commentId: input.id };
  },
};

/**
 * Publishes a draft as its author, under the current rules, and deletes it. Callers must have locked the draft, so that it
 * is published only once.
 */
export async function publishDraft({ services, now }: Omit<Actor, "caller">, tx: Db, draft: FoundDraft) {
  const { id, author, operation } = draft;
  const as = { services, now, caller: author };
  const input = JSON.parse(draft.input);
  await refuseSuspended(tx, operations[operation], author, now);
  await refuseDenied(
    tx,
    publishedFields(operations[operation].body).map((name) => ({ name, value: input[name] })),
  );
  const published = await publishers[operation](as, tx, input, mediaOf(draft));
  await tx.deleteFrom("drafts").where("id", "=", id).execute();
  const target = published.commentId ?? published.postId;
  const entry = {
    user_id: author.userId,
    key_id: draft.key_id,
    operation,
    target,
    creator: null,
    changed: 1,
  } as const;
  if (author.byAi) await recordActivity(tx, [{ ...entry, created_at: now }]);
  return published;
}

function mediaOf({ id, media }: FoundDraft): PostMedia | null {
  if (media === null) return null;
  // Only calls of keys wait with files, and theirs are stamped whatever the files say.
  return { facts: JSON.parse(media), stated: null, attachFiles: (tx, postId) => moveToPost(tx, id, postId) };
}
