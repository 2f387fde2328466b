import type { DayCount } from "@tandem/contract/moderation";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Provenance } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Actor, Handlers, JsonText, Received, SignedIn } from "../../http/context.ts";
import { collect } from "../../media/delete-orphans.ts";
import { addMedium } from "../../media/rows.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import { type PostFacts, postDefaults, showsLink, withLink } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { authorOf } from "../accounts/author.ts";
import { notifyMentioned } from "../mentions/mentions.ts";
import { explainRemoval } from "../moderation/why-removed.ts";
import { drawCards } from "../posts/link-cards.ts";
import { setLink } from "../posts/links.queries.ts";
import { keepMedia, type MediaFacts } from "../posts/post-media.ts";
import { drawPosters } from "../posts/posters.ts";
import {
  findOwnPost,
  insertPost,
  marksOfEdit,
  postAnswer,
  readFacts,
  searchText,
  stamp,
  writeFacts,
} from "../posts/posts.queries.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { increment } from "../shared/daily-stats.ts";
import { refuseDuplicates } from "../shared/duplicate-text.ts";
import { attachFirst } from "../shop/attachments.ts";
import { keepFacts } from "./keep.ts";

export const posts = {
  readPost: (ctx, { id }) =>
    postAnswer(ctx.read, id, ctx.caller).catch((error) => explainRemoval(ctx.read, id, ctx.caller, error)),
  createPost: (ctx, input) => publish(ctx, input),
  async editPost(ctx, input) {
    const answer = await ctx.write((tx) => editPost(ctx, tx, input));
    if (input.url !== undefined) {
      lookAtLinks(ctx);
      ctx.services.media.afterResponse("deletions", () => collect(ctx.services));
    }
    return answer;
  },
  async deletePost(ctx, { id }) {
    const answer = await ctx.write(async (tx) => {
      await findOwnPost(tx, id, ctx.caller);
      await removePosts(tx, sql<number>`${id}`);
      return { deleted: true };
    });
    ctx.services.media.afterResponse("deletions", () => collect(ctx.services));
    return answer;
  },
} satisfies Handlers<"readPost" | "createPost" | "editPost" | "deletePost">;

type NewPost = Received<Operations["createPost"]>;

/** What came with the post is made ready to be shown before anything is written: no transaction waits for it. */
async function publish(ctx: SignedIn, input: NewPost): Promise<JsonText> {
  const { services, caller } = ctx;
  if (!input.image && !input.video) {
    const answer = await ctx.write((tx) => createPost(ctx, tx, input, null));
    if (input.url) lookAtLinks(ctx);
    return answer;
  }
  const before = await ctx.rehearse((tx) => createPost(ctx, tx, input, null));
  if (before) return before;
  const keep = async (keeper: MediaUpload) => {
    const facts = await keepMedia(keeper, input, stamp(caller, input.provenance));
    if (!facts) return ctx.write((tx) => createPost(ctx, tx, input, null));
    const add = (tx: Db, owner: Parameters<typeof addMedium>[1]["owner"]) =>
      addMedium(tx, { owner, state: facts.mediaState ?? "ready", files: keeper.files, now: ctx.now });
    const media = { facts, settle: (tx: Db, id: number) => add(tx, { post_id: id }) };
    return ctx.write(
      (tx) => createPost(ctx, tx, input, media),
      async (tx, draftId) => {
        await add(tx, { draft_id: draftId });
        await keepFacts(tx, draftId, facts);
      },
    );
  };
  const answer = await withUploads(services, keep, { rehearsal: ctx.dryRun });
  if (input.video) services.media.afterResponse("posters", () => drawPosters(services));
  return answer;
}

/** Milliseconds after which links that are still due are left to the job that looks for such. */
const AFTER_ANSWER = 20_000;

/** Has new links looked at after the answer. */
export function lookAtLinks({ services, dryRun }: SignedIn): void {
  if (services.config.linkCards && !dryRun)
    services.media.afterResponse("cards", () => drawCards(services, AbortSignal.timeout(AFTER_ANSWER)));
}

/** What is shown with a new post. */
export interface PostMedia {
  facts: MediaFacts;
  /** Makes the files the post's. */
  settle(tx: Db, postId: number): Promise<void>;
}

type Words = Input<Operations["createPost"]>;

/** Adds a post of the caller's; the answer is the post as they see it. */
export async function createPost(
  ctx: Actor,
  tx: Db,
  input: Words,
  media: PostMedia | null,
): Promise<JsonText> {
  const { caller, now } = ctx;
  // An avatar that changes at this moment changes before or after, and not in between.
  await lockAccount(tx, caller.userId);
  const author = await authorOf(tx, caller.userId);
  const facts: PostFacts = {
    ...postDefaults,
    ...media?.facts,
    alt: (media && input.alt) ?? null,
    author: author.username,
    authorIsAgent: author.isAgent,
    authorAvatarUrl: author.avatarUrl,
    title: input.title,
    body: input.body ?? null,
    provenance: stamp(caller, input.provenance),
    postedAt: new Date(now).toISOString(),
  };
  const linked = withLink(facts, input.url ?? null);
  const { creatorId } = author;
  const id = await insertPost(tx, {
    creatorId,
    sourceId: null,
    originScore: 0,
    postedAt: now,
    facts: linked,
    madeWith: caller.key?.id ?? null,
  });
  if (linked.url !== null && showsLink(linked)) await setLink(ctx, tx, id, linked.url);
  await media?.settle(tx, id);
  if (input.productIds?.length) await attachFirst(tx, id, caller, input.productIds);
  await notifyMentioned(tx, ctx, { postId: id, commentId: null }, { text: wordsOf(facts) });
  await refuseDuplicates(tx, ctx, [input.title, input.body, input.url]);
  await increment(tx, counted[facts.provenance], now);
  return postAnswer(tx, id, caller);
}

const counted = {
  human: "postsByPeople",
  ai_generated: "postsByAi",
  ai_assisted: "postsWithAi",
} as const satisfies Record<Provenance, DayCount>;

function wordsOf({ title, body }: PostFacts): string {
  return `${title ?? ""}\n${body ?? ""}`;
}

export async function editPost(ctx: Actor, tx: Db, input: Input<Operations["editPost"]>): Promise<JsonText> {
  const { caller, now } = ctx;
  const { id } = await findOwnPost(tx, input.id, caller);
  const facts = await readFacts(tx, id);
  const edited: PostFacts = {
    ...facts,
    title: input.title ?? facts.title,
    body: input.body === undefined ? facts.body : input.body,
    alt: input.alt === undefined || facts.mediaState === null ? facts.alt : input.alt,
    ...marksOfEdit(caller, facts, now),
  };
  const linked = input.url === undefined ? edited : withLink(edited, input.url);
  await writeFacts(tx, id, linked);
  if (linked.url !== facts.url && showsLink(facts)) await setLink(ctx, tx, id, linked.url);
  if (searchText(edited) !== searchText(facts)) await tx.engine.postSearch.put(tx, id, searchText(edited));
  const texts = { text: wordsOf(edited), before: wordsOf(facts) };
  await notifyMentioned(tx, ctx, { postId: id, commentId: null }, texts);
  if (texts.text !== texts.before || linked.url !== facts.url)
    await refuseDuplicates(tx, ctx, [linked.title, linked.body, linked.url]);
  return postAnswer(tx, id, caller);
}
