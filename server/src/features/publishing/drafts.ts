import { isDeepStrictEqual } from "node:util";
import { type ApprovableOperation, approvableOperations, isEngagement } from "@tandem/contract/approval";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import { type Operations, operations } from "@tandem/contract/operations";
import { requireScope } from "../../http/access.ts";
import { ApiError, invalid } from "../../http/api-error.ts";
import { pendingResponse } from "../../http/approval.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { type InputValidator, inputValidatorOf } from "../../http/input-validator.ts";
import { pageOf } from "../../http/page.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import type { Db } from "../../storage/storage.ts";
import { findCommunity } from "../communities/communities.queries.ts";
import {
  type AltTexts,
  altWithoutMedia,
  assertFitting,
  describes,
  mergeAlts,
  pictureCount,
} from "../posts/alt-texts.ts";
import { validatePoll } from "../posts/polls.ts";
import { markFilesLater } from "../posts/posters.ts";
import { scheduleLinkChecks } from "../profile/link-checks.ts";
import { keyMark, publishedBy } from "../shared/authorship.ts";
import { requireOwnProducts } from "../shop/attachments.ts";
import { refreshCardsLater } from "../shop/refresh-queue.ts";
import { addDraft, notifyAboutDraft } from "./add-draft.ts";
import { readApprovals, recordDecisions } from "./decisions.ts";
import { asDrafts } from "./draft-view.ts";
import {
  canApprove,
  dueAt,
  type FoundDraft,
  lockAnyDraft,
  lockDraft,
  readDraft,
  readDrafts,
} from "./drafts.queries.ts";
import { scheduleLinkCards } from "./posts.ts";
import { publishDraft, refusePaused } from "./publish.ts";

export const drafts = {
  async listDrafts(ctx, { state, limit = limits.page.default, cursor }) {
    const rows = await readDrafts(ctx.read, ctx.caller, { state, before: cursor, limit: limit + 1 });
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { drafts: await asDrafts(ctx.read, page, ctx.now), nextCursor };
  },
  async readDraft({ read, caller, now }, { id }) {
    const found = await readDraft(read, id, caller);
    const [draft = null] = found ? await asDrafts(read, [found], now) : [];
    const decided = (await readApprovals(read, [id])).get(id);
    return { draft, ...(decided ?? { approval: null, postId: null, commentId: null }) };
  },
  createDraft: (ctx, input) => ctx.write((tx) => create(ctx, tx, input)),
  editDraft: (ctx, input) => ctx.write((tx) => edit(ctx, tx, input)),
  async deleteDraft(ctx, { id }) {
    const response = await ctx.write(async (tx) => {
      const draft = await lockDraft(tx, id, ctx.caller);
      requireScope(ctx.caller, operations[draft.operation].access);
      await recordDecisions(tx, [draft], { decision: refusalBy(ctx.caller), now: ctx.now });
      await tx.deleteFrom("drafts").where("id", "=", id).execute();
      return { deleted: true };
    });
    ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
    return response;
  },
  publishDraft: (ctx, { id }) => publishAndRespond(ctx, (tx) => publishOwn(ctx, tx, id)),
  approveDraft: (ctx, { id }) => publishAndRespond(ctx, (tx) => approve(ctx, tx, id)),
} satisfies Handlers<
  "listDrafts" | "readDraft" | "createDraft" | "editDraft" | "deleteDraft" | "publishDraft" | "approveDraft"
>;

async function create(ctx: SignedIn, tx: Db, input: Input<Operations["createDraft"]>) {
  const { caller, now } = ctx;
  const { publishAt: time, ...post } = input;
  if (post.productIds?.length) await requireOwnProducts(tx, caller, post.productIds, "productIds");
  if (post.community != null) await findCommunity(tx, post.community, ctx);
  const publishAt = parseTime(time);
  if (post.poll) validatePoll(post.poll, publicationOf(publishAt, now));
  const state = stateFor(caller, publishAt);
  const id = await addDraft(tx, { operation: "createPost", caller, input: post, state, publishAt, now });
  return state === "pending" ? pendingResponse(id, "createPost", ctx) : respondWithDraft(ctx, tx, id);
}

function parseTime(time: string | null | undefined): number | null {
  return time == null ? null : Date.parse(time);
}

/** When a draft is published: immediately if its time has passed, or null if it has none. */
const publicationOf = (publishAt: number | null, now: number) =>
  publishAt === null ? null : Math.max(publishAt, now);

/** A scheduled draft is published without further approval, so a key that needs approval can only submit it as `pending`. */
function stateFor({ key }: Caller, publishAt: number | null) {
  if (publishAt === null) return "kept";
  return key?.approval ? "pending" : "scheduled";
}

async function respondWithDraft({ now }: SignedIn, tx: Db, id: number) {
  const draft = await lockAnyDraft(tx, id);
  const [shown] = draft ? await asDrafts(tx, [draft], now) : [];
  if (!shown) throw new Error(`draft ${id} is gone from its own transaction`);
  return { draft: shown };
}

async function edit(ctx: SignedIn, tx: Db, input: Input<Operations["editDraft"]>) {
  const { caller, now } = ctx;
  const draft = await lockDraft(tx, input.id, caller);
  if (draft.state === "pending" && !canApprove(caller))
    throw new ApiError(
      "forbidden",
      "This draft is waiting for approval: only the person who approves it can change it.",
    );
  const { publishAt: time, id, ...changes } = input;
  const editedInput = validateEdited(draft, changes);
  if (draft.operation === "createPost") assertDescribable(draft, changes);
  const publishAt = time === undefined ? draft.publish_at : parseTime(time);
  if (publishAt !== null && draft.operation !== "createPost")
    throw invalid("publishAt", "Only a draft of a new post can be scheduled. Leave publishAt out.");
  const { poll } = editedInput as Pick<Input<Operations["createPost"]>, "poll">;
  if (poll && (changes.poll || time !== undefined)) validatePoll(poll, publicationOf(publishAt, now));
  const state = draft.state === "pending" ? draft.state : stateFor(caller, publishAt);
  const times = { publish_at: publishAt, due_at: dueAt(state, publishAt), failures: 0 };
  const approved = canApprove(caller) && state === "scheduled" ? 1 : 0;
  // From its first edit by a key on, the draft stays AI content, even if a person edits or publishes it later.
  const isChanged = !isDeepStrictEqual(editedInput, JSON.parse(draft.input));
  // As with what is published, a key's edit stamps even if it changes no word.
  const by_key = Object.keys(changes).length > 0 ? keyMark(caller, draft.by_key) : draft.by_key;
  // A key that schedules a draft publishes it: its limits apply, and it must still be live then.
  const scheduler =
    caller.key && publishAt !== null ? { key_id: caller.key.id, by_key: keyMark(caller) } : {};
  await tx
    .updateTable("drafts")
    .set({
      input: JSON.stringify(editedInput),
      state,
      approved,
      by_key,
      ...scheduler,
      ...times,
      last_error: null,
      ...((isChanged || publishAt !== draft.publish_at || by_key !== draft.by_key) && { edited_at: now }),
    })
    .where("id", "=", id)
    .execute();
  if (draft.approved !== approved) {
    const decision = approved ? "approved" : refusalBy(caller);
    await recordDecisions(tx, [{ ...draft, approved: 1 }], { decision, now });
  }
  if (state !== "pending" || draft.state === state) return respondWithDraft(ctx, tx, id);
  return requestApproval(ctx, tx, draft);
}

/** What ends a draft that waits for approval, or an approval. */
const refusalBy = (caller: Caller) => (canApprove(caller) ? "rejected" : "withdrawn");

/** Throws if a draft of a post has no such pictures. */
function assertDescribable({ media }: FoundDraft, changes: AltTexts): void {
  if (media !== null) assertFitting(changes, pictureCount(JSON.parse(media)));
  else if (describes(changes)) throw altWithoutMedia(changes);
}

/** Input validators of the operations that a draft can hold. */
const validators = new Map<ApprovableOperation, InputValidator>(
  approvableOperations.map((name) => [name, inputValidatorOf(operations[name])]),
);

/** The draft's input with the changes applied, validated as the operation's input. Throws `invalid_input`. */
function validateEdited(draft: FoundDraft, { alt, alts, ...changes }: AltTexts): Record<string, unknown> {
  const { operation, author, media } = draft;
  const validator = validators.get(operation);
  if (!validator) throw new Error(`no validator for ${operation}`);
  const input: Record<string, unknown> = JSON.parse(draft.input);
  const described = { alt, alts };
  const [changed] = Object.keys({ ...changes, ...defined(described) });
  if (changed !== undefined && isEngagement(operation))
    throw invalid(changed, "This draft has no text to edit. Approve it, or delete it.");
  const inPath = (name: string) => Object.hasOwn(operations[operation].params.properties, name);
  const params = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (inPath(name) ? [[name, String(value)]] : [])),
  );
  const {
    alt: _,
    alts: __,
    ...body
  } = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath(name)));
  const pictures = media === null ? null : pictureCount(JSON.parse(media));
  const descriptions = defined(mergeAlts(input, described, pictures));
  return validator.validate({ params, query: "", body: { ...body, ...changes, ...descriptions } }, author);
}

function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

async function requestApproval(ctx: SignedIn, tx: Db, { id, operation, owner_id }: FoundDraft) {
  await notifyAboutDraft(tx, "approval_wanted", { to: owner_id, draftId: id }, ctx);
  return pendingResponse(id, operation, ctx);
}

async function publishAndRespond<R extends object>(ctx: SignedIn, work: (tx: Db) => Promise<R>) {
  const response = await ctx.write(work);
  scheduleLinkCards(ctx);
  markFilesLater(ctx);
  scheduleLinkChecks(ctx.services);
  refreshCardsLater(ctx.services);
  // A deletion, or a new avatar, leaves files behind.
  ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
  return response;
}

async function publishOwn(ctx: SignedIn, tx: Db, id: number) {
  const { caller } = ctx;
  const draft = await lockDraft(tx, id, caller);
  if (canApprove(caller)) return publishNow(ctx, tx, asApproved(draft, caller));
  if (draft.state === "pending") return pendingResponse(id, draft.operation, ctx);
  if (!caller.key?.approval)
    return publishNow(ctx, tx, { ...draft, author: publishedBy(caller, draft.author) });
  await tx
    .updateTable("drafts")
    .set({ state: "pending", due_at: null, approved: 0, by_key: keyMark(caller, draft.by_key) })
    .where("id", "=", id)
    .execute();
  return requestApproval(ctx, tx, draft);
}

/**
 * A draft that a person publishes, who approves it by that. If it is their own kept one, it doesn't matter whether the key that wrote it is
 * paused.
 */
function asApproved(draft: FoundDraft, { userId }: Caller): FoundDraft {
  const isOwn = draft.user_id === userId && draft.state !== "pending";
  return { ...draft, approved: 1, ...(isOwn && { author: { ...draft.author, paused: false } }) };
}

/** Approves a draft. One scheduled for the future is published at that time, any other now. */
async function approve(ctx: SignedIn, tx: Db, id: number) {
  const draft = await lockDraft(tx, id, ctx.caller);
  const { publish_at } = draft;
  if (publish_at === null || publish_at <= ctx.now) return publishNow(ctx, tx, asApproved(draft, ctx.caller));
  refusePaused(draft.author);
  if (draft.approved === 0)
    await recordDecisions(tx, [{ ...draft, approved: 1 }], { decision: "approved", now: ctx.now });
  await tx
    .updateTable("drafts")
    .set({ state: "scheduled", approved: 1, due_at: publish_at })
    .where("id", "=", id)
    .execute();
  return notPublished(ctx, tx, id);
}

/** A poll must stay open for as long as in any new post. Only one that is published at its set time may have less left. */
async function publishNow(ctx: SignedIn, tx: Db, draft: FoundDraft) {
  const { poll }: Pick<Input<Operations["createPost"]>, "poll"> = JSON.parse(draft.input);
  if (poll) validatePoll(poll, ctx.now);
  return { published: true, draft: null, ...(await publishDraft(ctx, tx, draft)) };
}

async function notPublished(ctx: SignedIn, tx: Db, id: number) {
  const nothing = { postId: null, commentId: null, productId: null };
  return { published: false, ...(await respondWithDraft(ctx, tx, id)), ...nothing };
}
