import { publishDue } from "@tandem/server/features/publishing/scheduled";
import type { DraftItem, World } from "./authorship-model.ts";
import {
  declaring,
  editField,
  made,
  newToken,
  ownedBy,
  pick,
  remove,
  type Step,
  send,
  textFor,
  touch,
  type Write,
} from "./authorship-step.ts";

/** Writes of posts, drafts and comments, with their effect on the model. */

/** A post's texts besides its title. A link and a content warning change what else of a post is shown, so only some have one. */
function newTexts(world: World, step: Step, fields: readonly string[]) {
  const more = new Map(fields.map((field) => [field, newToken(world, step)]));
  return {
    more,
    input: Object.fromEntries([...more].map(([field, token]) => [field, textFor(field, token)])),
  };
}
const optionalTexts = [[], ["url"], ["contentWarning"], ["poll"]] as const;

/** The body mentions someone, who is notified. */
const mentioning = ({ bob }: World, { body, ...input }: Record<string, unknown>) => ({
  ...input,
  body: `For @${bob.user.username}. ${body}`,
});

const createPost =
  (withPicture: boolean): Write =>
  async (world, step) => {
    const token = newToken(world, step);
    const product = pick(ownedBy(world.products, step), step.other);
    const { declared, input } = declaring(step);
    const several = withPicture && step.field % 2 === 0;
    const optional = withPicture
      ? [several ? "alts" : "alt"]
      : (optionalTexts[step.field % optionalTexts.length] ?? []);
    const texts = newTexts(world, step, ["body", ...optional]);
    const sent = await send(world, step, "createPost", {
      ...{ title: token, ...mentioning(world, texts.input), ...input },
      ...(product && { productIds: [product.id] }),
      ...(withPicture && { image: several ? [world.picture, world.picture] : world.picture }),
      ...(step.other % 2 === 0 && { community: world.community }),
      ...(step.other % 2 === 1 && { quoteId: quotableIn(world, step) }),
    });
    if (sent?.postId)
      world.posts.push({
        ...{ kind: "post", id: sent.postId, ...made(step), token, more: texts.more, declared },
        products: product ? [product] : [],
      });
  };

/** What it quotes keeps its own mark, and gives the post none. */
const quotableIn = ({ bobsPost, posts }: World, { target }: Step) =>
  pick([bobsPost, ...posts.map(({ id }) => id)], target);

const comment: Write = async (world, step) => {
  const token = newToken(world, step);
  const id = pick([world.bobsPost, ...world.posts.map((post) => post.id)], step.target);
  // A post that was undone has no comments.
  const found = step.other % 2 ? await world.bob.call("listComments", { id: Number(id) }) : null;
  const parentId = (found?.body.comments as { id: number }[] | undefined)?.[0]?.id;
  const sent = await send(world, step, "createComment", { id, body: token, parentId: parentId ?? null });
  const item = made(step);
  if (sent?.commentId)
    world.comments.push({ kind: "comment", id: sent.commentId, token, ...item, createdByAi: item.ai });
};

const textsOfDraft = ["title", "body", "url", "alt", "contentWarning"] as const;
// Only drafts that wait for approval can have pictures.
const textsOfPost = [...textsOfDraft, "alts"] as const;

export const postWrites = {
  createPost: createPost(false),
  createPicture: createPost(true),
  async editPost(world, step) {
    const item = pick(ownedBy(world.posts, step), step.target);
    await editField(world, step, "editPost", { item, fields: textsOfPost });
  },
  async deletePost(world, step) {
    const post = pick(ownedBy(world.posts, step), step.target);
    if (post && (await send(world, step, "deletePost", { id: post.id }))) remove(world.posts, post);
  },
  comment,
  async editComment(world, step) {
    const item = pick(ownedBy(world.comments, step), step.target);
    await editField(world, step, "editComment", { item, fields: ["body"] });
  },
  async deleteComment(world, step) {
    const item = pick(ownedBy(world.comments, step), step.target);
    if (item && (await send(world, step, "deleteComment", { id: item.id }))) remove(world.comments, item);
  },
  // Clearing what was there before takes no mark off what is there now.
  async clearVersions(world, step) {
    const post = pick(ownedBy(world.posts, step), step.target);
    const written = pick(ownedBy(world.comments, step), step.target);
    if (post) await send(world, step, "clearPostVersions", { id: post.id });
    if (written) await send(world, step, "clearCommentVersions", { id: written.id });
  },
  async createDraft(world, step) {
    const token = newToken(world, step);
    const { declared, input } = declaring(step);
    const { more, input: texts } = newTexts(world, step, [
      "body",
      ...(optionalTexts[step.field % optionalTexts.length] ?? []),
    ]);
    const sent = await send(world, step, "createDraft", { title: token, ...texts, ...input });
    const draft = sent?.body.draft as { id: number } | undefined;
    if (draft) world.drafts.push({ id: draft.id, ...made(step), token, more, declared });
  },
  async editDraft(world, step) {
    const item = pick(ownedBy(world.drafts, step), step.target);
    await editField(world, step, "editDraft", { item, fields: [...textsOfDraft, "poll"] });
  },
  async publishDraft(world, step) {
    const draft = pick(ownedBy(world.drafts, step), step.target);
    const sent = draft && (await send(world, step, "publishDraft", { id: draft.id }));
    if (!draft) return;
    if (!sent) return dropDeclined(world, step, draft);
    touch(draft, step);
    published(world, draft, sent.postId);
  },
  async schedule(world, step) {
    const draft = pick(ownedBy(world.drafts, step), step.target);
    const publishAt = "2020-01-01T00:00:00.000Z";
    const sent = draft && (await send(world, step, "editDraft", { id: draft.id, publishAt }));
    if (!draft) return;
    if (!sent) return dropDeclined(world, step, draft);
    touch(draft, step);
    if (sent.postId !== null) return published(world, draft, sent.postId);
    await publishDue(world.tandem.services, new AbortController().signal);
    const { posts } = await world.bob.listPosts({ author: world.names[draft.account], limit: 1 });
    published(world, draft, posts[0]?.title === draft.token ? posts[0].id : null);
  },
} satisfies Record<string, Write>;

/** A draft whose publication was declined is deleted. */
function dropDeclined(world: World, { actor }: Step, draft: DraftItem): void {
  if (actor === "asking" || actor === "botAsking") published(world, draft, null);
}

/** The draft has become this post, was declined (and deleted), or is still a draft. */
function published(world: World, draft: DraftItem, id: number | null): void {
  remove(world.drafts, draft);
  if (id !== null) world.posts.push({ ...draft, kind: "post", id, products: [] });
}
