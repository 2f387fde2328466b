import type { ApprovableOperation } from "@tandem/contract/approval";
import type { ProfilePicture } from "@tandem/contract/moderation-names";
import type { Input } from "@tandem/contract/operation";
import { type Operations, operations } from "@tandem/contract/operations";
import { publishedFields } from "@tandem/contract/schema";
import { changedBy, createdIdOf, nameIn, recordActivity } from "../../http/activity.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Actor } from "../../http/context.ts";
import { refuseDenied } from "../../http/denied-links.ts";
import { refuseSuspended } from "../../http/suspension.ts";
import { performAlone } from "../../http/write-batcher.ts";
import { moveToAccount, moveToPost } from "../../media/rows.ts";
import type { Db } from "../../storage/storage.ts";
import { addComment, deleteComment, editComment } from "../comments/comments.ts";
import { setCommentLiked } from "../comments/likes.ts";
import { joinCommunity, leaveCommunity } from "../communities/membership.ts";
import { follow, unfollow } from "../people/follows.ts";
import { setPostLiked } from "../posts/likes.ts";
import { unvote, vote } from "../posts/polls.ts";
import type { MediaFacts } from "../posts/post-media.ts";
import { repost, unrepost } from "../posts/reposts.ts";
import { deleteBanner, type PictureFacts, setPicture } from "../profile/pictures.ts";
import { editProfile } from "../profile/profile.ts";
import { attachProduct, existingProducts } from "../shop/attachments.ts";
import { createProduct, deleteProduct, editProduct } from "../shop/products.ts";
import { recordDecisions } from "./decisions.ts";
import type { FoundDraft } from "./drafts.queries.ts";
import type { PostMedia } from "./posts.ts";
import { createPost, deletePost, editPost } from "./posts.ts";

/** The ids of what was published. */
export interface Published {
  postId: number | null;
  commentId: number | null;
  productId: number | null;
}

/** `target` is what the activity is about, if that isn't published; `changed` is left out if anything changed. */
type Done = Partial<Published> & { target?: number | null; changed?: 0 | 1 };

type Publisher<I> = (as: Actor, tx: Db, input: I, draft: FoundDraft) => Promise<Done>;

type Publishers = { [O in ApprovableOperation]: Publisher<Input<Operations[O]>> };

/** Publishing runs the same code as the operation itself. */
const publishers: Publishers = {
  createPost: async (as, tx, input, draft) => ({
    postId: createdIdOf(
      (await createPost(as, tx, await withoutGone(tx, input), postMediaOf(draft))).text,
      "post",
    ),
  }),
  editPost: running(editPost, ({ id }) => ({ postId: id })),
  deletePost: running(deletePost, ({ id }) => ({ target: id })),
  attachProduct: running(attachProduct, ({ id, productId }) => ({ postId: id, productId, target: id })),
  createComment: async (as, tx, input) => ({
    postId: input.id,
    commentId: (await addComment(as, tx, input)).comment.id,
  }),
  editComment: running(editComment, ({ id }) => ({ commentId: id })),
  deleteComment: running(deleteComment, ({ id }) => ({ target: id })),
  editProfile: running(editProfile, () => ({})),
  setAvatar: settingPicture("avatar"),
  setBanner: settingPicture("banner"),
  deleteBanner: async (as, tx) => {
    await deleteBanner(as, tx);
    return {};
  },
  createProduct: async (as, tx, input) => ({
    productId: (await createProduct(as, tx, input)).product.id,
  }),
  editProduct: running(editProduct, ({ id }) => ({ productId: id })),
  deleteProduct: running(deleteProduct, ({ id }) => ({ target: id })),
  likePost: liking(setPostLiked, true),
  unlikePost: liking(setPostLiked, false),
  repostPost: running(repost, ({ id }) => ({ target: id })),
  unrepostPost: running(unrepost, ({ id }) => ({ target: id })),
  vote: running(vote, ({ id }) => ({ target: id })),
  unvote: running(unvote, ({ id }) => ({ target: id })),
  likeComment: liking(setCommentLiked, true),
  unlikeComment: liking(setCommentLiked, false),
  follow: running(follow, () => ({})),
  unfollow: running(unfollow, () => ({})),
  joinCommunity: running(joinCommunity, () => ({})),
  leaveCommunity: running(leaveCommunity, () => ({})),
};

function liking(setLiked: typeof setPostLiked, liked: boolean): Publisher<{ id: number }> {
  return running(
    (as, tx, { id }) => performAlone(tx, as, (inTx, calls) => setLiked(liked, inTx, id, calls)),
    ({ id }) => ({ target: id }),
  );
}

function settingPicture(picture: ProfilePicture): Publisher<unknown> {
  return async (as, tx, _input, { id, media }) => {
    if (media === null) throw new Error(`draft ${id} has no picture`);
    const facts: PictureFacts = { mark: null, ...JSON.parse(media) };
    await setPicture(as, tx, picture, { ...facts, attachFiles: (userId) => moveToAccount(tx, id, userId) });
    return {};
  };
}

/** For operations that name what they change in their input. */
function running<I>(
  perform: (as: Actor, tx: Db, input: I) => Promise<object>,
  doneOf: (input: I) => Done,
): Publisher<I> {
  return async (as, tx, input) => {
    const changed = changedBy(await perform(as, tx, input));
    return { ...doneOf(input), changed };
  };
}

/**
 * Publishes a draft as its author, under the current rules, and deletes it. Callers must have locked the draft, so that it
 * is published only once.
 */
export async function publishDraft({ services, now }: Omit<Actor, "caller">, tx: Db, draft: FoundDraft) {
  const { id, author, operation } = draft;
  const as = { services, now, caller: author };
  const input = JSON.parse(draft.input);
  refusePaused(author);
  await refuseSuspended(tx, operations[operation], author, now);
  await refuseDenied(
    tx,
    publishedFields(operations[operation].body).map((name) => ({ name, value: input[name] })),
  );
  const done = await publishers[operation](as, tx, input, draft);
  const { postId = null, commentId = null, productId = null, changed = 1 } = done;
  await recordDecisions(tx, [draft], { decision: "approved", now, published: done });
  await tx.deleteFrom("drafts").where("id", "=", id).execute();
  const target = done.target ?? commentId ?? productId ?? postId;
  const entry = {
    user_id: author.userId,
    key_id: draft.key_id,
    operation,
    target,
    name: nameIn(operation, input),
    // The request that publishes isn't the one that brought the text.
    signer: null,
    changed,
    draft_id: id,
  } as const;
  if (author.byAi && changed === 1) await recordActivity(tx, [{ ...entry, created_at: now }]);
  return { postId, commentId, productId } satisfies Published;
}

/** Throws `paused`: a pause stops whatever would go out for an agent or key, also what a person approves. */
export function refusePaused({ paused }: Actor["caller"]): void {
  if (paused)
    throw new ApiError("paused", "The agent or key that wrote this is paused. Resume it to publish this.");
}

/** Without products that were deleted since: that takes them off every post, also off those that wait. */
async function withoutGone<I extends { productIds?: number[] | null }>(tx: Db, input: I): Promise<I> {
  if (!input.productIds?.length) return input;
  return { ...input, productIds: await existingProducts(tx, input.productIds) };
}

function postMediaOf({ id, media }: FoundDraft): PostMedia | null {
  if (media === null) return null;
  const attachFiles = (tx: Db, postId: number) => moveToPost(tx, id, postId);
  // Only calls of keys wait with files, and theirs are stamped whatever the files say.
  const facts: MediaFacts = JSON.parse(media);
  return { facts, stated: null, attachFiles };
}
