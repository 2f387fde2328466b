import { mentioningText } from "@tandem/contract/markdown/mentions-and-tags";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { QuotePolicy } from "@tandem/contract/post-resources";
import { sql } from "kysely";
import { invalid } from "../../http/api-error.ts";
import type { Actor, Handlers, JsonText, Received, SignedIn } from "../../http/context.ts";
import { contentSignerOf } from "../../http/signature.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { addMedium } from "../../media/rows.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import {
  authorNameOf,
  type PostFacts,
  postDefaults,
  showsLink,
  withLink,
} from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { authorOf } from "../accounts/author.ts";
import { countNewPost } from "../communities/counters.ts";
import { assertMayPublish } from "../communities/publishing.ts";
import { notifyMentioned } from "../mentions/mentions.ts";
import { explainRemoval } from "../moderation/why-removed.ts";
import { altWithoutMedia, assertFitting, describes, withAlts, withEditedAlts } from "../posts/alt-texts.ts";
import { createCards } from "../posts/link-cards.ts";
import { setLink } from "../posts/links.queries.ts";
import { addPoll, assertPublishable, pollOf, validatePoll } from "../posts/polls.ts";
import { type ProcessedMedia, storeMedia } from "../posts/post-media.ts";
import { drawPosters, markFilesLater } from "../posts/posters.ts";
import {
  findOwnPost,
  insertPost,
  type PostRecord,
  postResponse,
  readFacts,
  searchText,
  updateSearch,
  writeEdit,
  writeFacts,
} from "../posts/posts.queries.ts";
import { countQuotes, detachQuotes } from "../posts/quotes.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { type Authorship, authorshipOf, editedAuthorship, postCount } from "../shared/authorship.ts";
import { increment } from "../shared/daily-stats.ts";
import { refuseDuplicates } from "../shared/duplicate-text.ts";
import { attachFirst } from "../shop/attachments.ts";
import { recordTags, tagsOfPost } from "../tags/tag-uses.ts";
import { logPosts } from "../transparency-log/append.ts";
import { newFirstEntry } from "../transparency-log/first-entries.ts";
import { editorOf } from "../versions/keep-versions.ts";
import { assertQuotableIn, lockQuotable } from "./quotable.ts";

export const posts = {
  readPost: (ctx, { id }) =>
    postResponse(ctx.read, id, ctx).catch((error) => explainRemoval(ctx.read, id, ctx.caller, error)),
  createPost: (ctx, input) => publish(ctx, input),
  async editPost(ctx, input) {
    const response = await ctx.write((tx) => editPost(ctx, tx, input));
    markFilesLater(ctx);
    if (input.url !== undefined) {
      scheduleLinkCards(ctx);
      ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
    }
    return response;
  },
  async deletePost(ctx, { id }) {
    const response = await ctx.write((tx) => deletePost(ctx, tx, { id }));
    ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
    return response;
  },
} satisfies Handlers<"readPost" | "createPost" | "editPost" | "deletePost">;

export async function deletePost({ caller }: Actor, tx: Db, { id }: Input<Operations["deletePost"]>) {
  await findOwnPost(tx, id, caller);
  await removePosts(tx, sql<number>`${id}`);
  return { deleted: true } as const;
}

type NewPost = Received<Operations["createPost"]>;

/** Publishes a post. Files are processed before the transaction, so that it doesn't have to wait for them. */
async function publish(ctx: SignedIn, input: NewPost): Promise<JsonText> {
  const { services, caller } = ctx;
  refuseLost(input);
  if (input.poll) validatePoll(input.poll, ctx.now);
  if (!input.image && !input.video) {
    const response = await ctx.write((tx) => createPost(ctx, tx, input, null));
    if (input.url) scheduleLinkCards(ctx);
    return response;
  }
  const replayed = await ctx.rehearse((tx) => createPost(ctx, tx, input, null));
  if (replayed) return replayed;
  const publishWithFiles = async (upload: MediaUpload) => {
    const { provenance } = authorshipOf(caller, input.provenance);
    const processed = await storeMedia(upload, input, provenance);
    if (!processed) return ctx.write((tx) => createPost(ctx, tx, input, null));
    const { facts, stated } = processed;
    const add = (tx: Db, owner: Parameters<typeof addMedium>[1]["owner"]) =>
      addMedium(tx, { owner, state: facts.mediaState ?? "ready", files: upload.files, now: ctx.now });
    const media = { facts, stated, attachFiles: (tx: Db, id: number) => add(tx, { post_id: id }) };
    return ctx.write((tx) => createPost(ctx, tx, input, media), {
      facts,
      attachFiles: (tx, draftId) => add(tx, { draft_id: draftId }),
    });
  };
  const response = await withUploads(services, publishWithFiles, { dryRun: ctx.dryRun });
  if (input.video) services.afterResponse.run("posters", () => drawPosters(services));
  return response;
}

/** Throws if something that belongs to a file was sent without it. */
function refuseLost(input: NewPost): void {
  const { image, video, thumbnail } = input;
  if (describes(input) && !image && !video) throw altWithoutMedia(input);
  assertFitting(input, image?.length ?? 0);
  if (thumbnail && !video)
    throw invalid("thumbnail", "thumbnail is the poster of a video. Send the video, too, or leave it out.");
}

/** Milliseconds after which remaining link cards are left to the background job. */
const AFTER_RESPONSE = 20_000;

/** Fetches cards for new links after the response is sent. */
export function scheduleLinkCards({ services, dryRun }: SignedIn): void {
  if (services.config.linkCards && !dryRun)
    services.afterResponse.run("cards", () => createCards(services, AbortSignal.timeout(AFTER_RESPONSE)));
}

/** The processed files of a new post. */
export interface PostMedia extends ProcessedMedia {
  /** Assigns the files to the post. */
  attachFiles(tx: Db, postId: number): Promise<void>;
}

type PostInput = Input<Operations["createPost"]>;

/** Adds a post by the caller. Returns the post as the caller sees it. */
export async function createPost(
  ctx: Actor,
  tx: Db,
  input: PostInput,
  media: PostMedia | null,
): Promise<JsonText> {
  const { caller, now } = ctx;
  if (input.poll) assertPublishable(input.poll, now);
  const authorship = authorshipOf(caller, input.provenance, media?.stated);
  const quoted = input.quoteId == null ? null : await lockQuotable(ctx, tx, input.quoteId);
  const community = input.community == null ? null : await enter(ctx, tx, input, authorship);
  if (quoted && community) assertQuotableIn(community, caller, quoted);
  // Locked, so that a concurrent avatar change happens either before or after.
  await lockAccount(tx, caller.userId);
  const author = await authorOf(tx, caller.userId);
  const facts: PostFacts = {
    ...postDefaults,
    ...(media && withAlts({ ...media.facts, alt: null }, input)),
    author: author.username,
    ...authorNameOf(author.displayName),
    authorIsAgent: author.isAgent,
    authorAvatarUrl: author.avatarUrl,
    title: input.title,
    body: input.body ?? null,
    ...warningOf(input),
    ...(quoted && { quoteId: quoted.id }),
    ...policyOf(input),
    ...(input.poll && { poll: pollOf(input.poll) }),
    community: community?.name ?? null,
    ...authorship,
    postedAt: new Date(now).toISOString(),
  };
  const linked = withLink(facts, input.url ?? null);
  const by = { operator: author.operator, signer: contentSignerOf(caller) };
  const firstEntry = newFirstEntry(linked, by);
  const { creatorId } = author;
  const id = await insertPost(tx, {
    creatorId,
    sourceId: null,
    originScore: 0,
    postedAt: now,
    facts: linked,
    madeWith: caller.key?.id ?? null,
    quotedId: quoted?.id ?? null,
    firstEntry,
  });
  if (quoted) await countQuotes(tx, sql`${id}`, 1);
  if (facts.poll) await addPoll(tx, id, facts.poll);
  if (linked.url !== null && showsLink(linked)) await setLink(ctx, tx, id, linked.url);
  if (community) await countNewPost(tx, community.id, now);
  await media?.attachFiles(tx, id);
  if (firstEntry === null) await logPosts(tx, [{ id, version: 1, facts: linked, ...by }], now);
  if (input.productIds?.length) await attachFirst(tx, id, caller, input.productIds, community);
  const location = { postId: id, commentId: null };
  const responses = quoted && { responses: { type: "quote" as const, to: quoted.user_id } };
  await notifyMentioned(tx, ctx, location, { text: textOf(facts), ...responses });
  await recordTags(tx, ctx, location, { tags: tagsOfPost(facts), isAi: facts.provenance !== "human" });
  await refuseDuplicates(tx, ctx, [input.title, input.body, input.url, ...(facts.poll?.options ?? [])]);
  await increment(tx, postCount(facts), now);
  return postResponse(tx, id, ctx);
}

/** The community that the post is for. Throws if the caller can't post it there. */
function enter(call: Actor, tx: Db, { community, provenance }: PostInput, result: Authorship) {
  const declared = { provenance: result.provenance, explicit: provenance !== undefined };
  return assertMayPublish(tx, "createPost", String(community), call, declared);
}

/** The warning, and whether media are sensitive. What isn't so is left out. */
function warningOf({
  contentWarning,
  sensitive,
}: WarningInput): Pick<PostFacts, "contentWarning" | "sensitive"> {
  return { ...(contentWarning != null && { contentWarning }), ...(sensitive === true && { sensitive }) };
}

/** Who can quote the post. Left out if anyone can. */
function policyOf({ quotePolicy }: Pick<PostInput, "quotePolicy">): Pick<PostFacts, "quotePolicy"> {
  return quotePolicy === "nobody" ? { quotePolicy } : {};
}

type WarningInput = Pick<PostInput, "contentWarning" | "sensitive">;

/** The text that can mention accounts. */
function textOf({ title, body }: PostFacts): string {
  return `${title ?? ""}\n${mentioningText(body ?? "")}`;
}

export async function editPost(ctx: Actor, tx: Db, input: Input<Operations["editPost"]>): Promise<JsonText> {
  const { caller } = ctx;
  const { quotePolicy, ...changes } = input;
  const post = await findOwnPost(tx, input.id, caller);
  // Who can quote a post is no part of its text: choosing that alone is no edit.
  if (quotePolicy === undefined || Object.keys(changes).length > 1) await editContent(ctx, tx, post, changes);
  if (quotePolicy !== undefined) await setQuotePolicy(tx, post, quotePolicy);
  return postResponse(tx, post.id, ctx);
}

async function setQuotePolicy(tx: Db, post: PostRecord, chosen: QuotePolicy): Promise<void> {
  const { quotePolicy = "anyone", ...facts } = await readFacts(tx, post.id);
  if (chosen !== quotePolicy)
    await writeFacts(tx, post.id, { ...facts, ...policyOf({ quotePolicy: chosen }) });
  if (chosen === "nobody") await detachQuotes(tx, post);
}

async function editContent(
  ctx: Actor,
  tx: Db,
  { id, community }: PostRecord,
  input: Omit<Input<Operations["editPost"]>, "quotePolicy">,
): Promise<void> {
  const { caller, now } = ctx;
  if (community !== null) await assertMayPublish(tx, "editPost", community, ctx);
  const facts = await readFacts(tx, id);
  const { contentWarning, sensitive, ...rest } = withEditedAlts(facts, input);
  const edited: PostFacts = {
    ...rest,
    ...warningOf({ contentWarning, sensitive, ...input }),
    title: input.title ?? facts.title,
    body: input.body === undefined ? facts.body : input.body,
  };
  const content = input.url === undefined ? edited : withLink(edited, input.url);
  const linked = { ...content, ...editedAuthorship(caller, facts) };
  await writeEdit(tx, id, { before: facts, after: linked }, editorOf(caller, now));
  if (linked.url !== facts.url && showsLink(facts)) await setLink(ctx, tx, id, linked.url);
  if (searchText(edited) !== searchText(facts)) await updateSearch(tx, [{ id, facts: edited }]);
  const texts = { text: textOf(edited), before: textOf(facts) };
  const location = { postId: id, commentId: null };
  await notifyMentioned(tx, ctx, location, texts);
  await recordTags(tx, ctx, location, {
    tags: tagsOfPost(linked),
    before: tagsOfPost(facts),
    isAi: linked.provenance !== "human",
  });
  if (edited.title !== facts.title || edited.body !== facts.body || linked.url !== facts.url)
    await refuseDuplicates(tx, ctx, [linked.title, linked.body, linked.url, ...(linked.poll?.options ?? [])]);
}
