import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import { type Operations, operations } from "@tandem/contract/operations";
import { requireScope } from "../../http/access.ts";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { shapeOf } from "../../http/input-validator.ts";
import { collect } from "../../media/delete-orphans.ts";
import type { Db } from "../../storage/storage.ts";
import { requireOwnProducts } from "../shop/attachments.ts";
import {
  asDraft,
  decides,
  dueAt,
  type FoundDraft,
  lockAnyDraft,
  lockDraft,
  readDrafts,
} from "./drafts.queries.ts";
import { addDraft, tell } from "./keep.ts";
import { lookAtLinks } from "./posts.ts";
import { publishDraft } from "./publish.ts";

export const drafts = {
  async listDrafts(ctx, { limit = limits.page.default, cursor }) {
    const page = await readDrafts(ctx.read, ctx.caller, cursor, limit + 1);
    const drafts = page.slice(0, limit);
    const next = page.length > limit ? (drafts.at(-1)?.id ?? null) : null;
    return { drafts, nextCursor: ctx.nextPage(next) };
  },
  createDraft: (ctx, input) => ctx.write((tx) => create(ctx, tx, input)),
  editDraft: (ctx, input) => ctx.write((tx) => edit(ctx, tx, input)),
  async deleteDraft(ctx, { id }) {
    const answer = await ctx.write(async (tx) => {
      const { operation } = await lockDraft(tx, id, ctx.caller);
      requireScope(ctx.caller, operations[operation].access);
      await tx.deleteFrom("drafts").where("id", "=", id).execute();
      return { deleted: true };
    });
    ctx.services.afterResponse.run("deletions", () => collect(ctx.services));
    return answer;
  },
  publishDraft: (ctx, { id }) => decide(ctx, (tx) => publishOwn(ctx, tx, id)),
  approveDraft: (ctx, { id }) => decide(ctx, (tx) => approve(ctx, tx, id)),
} satisfies Handlers<
  "listDrafts" | "createDraft" | "editDraft" | "deleteDraft" | "publishDraft" | "approveDraft"
>;

async function create(ctx: SignedIn, tx: Db, input: Input<Operations["createDraft"]>) {
  const { caller, now } = ctx;
  const { publishAt: time, ...post } = input;
  if (post.productIds?.length) await requireOwnProducts(tx, caller, post.productIds, "productIds");
  const publishAt = timeFrom(time);
  const state = stateFor(caller, publishAt);
  const id = await addDraft(tx, { operation: "createPost", caller, input: post, state, publishAt, now });
  return answerWith(tx, id);
}

function timeFrom(time: string | null | undefined): number | null {
  return time == null ? null : Date.parse(time);
}

/** A time on the clock asks nobody again, so it takes whoever has to be asked first. */
function stateFor({ key }: Caller, publishAt: number | null) {
  if (publishAt === null) return "kept";
  return key?.approval ? "pending" : "scheduled";
}

async function answerWith(tx: Db, id: number) {
  const draft = await lockAnyDraft(tx, id);
  if (!draft) throw new Error(`draft ${id} is gone from its own transaction`);
  return { draft: asDraft(draft) };
}

async function edit(ctx: SignedIn, tx: Db, input: Input<Operations["editDraft"]>) {
  const { caller, now } = ctx;
  const draft = await lockDraft(tx, input.id, caller);
  if (draft.state === "pending" && !decides(caller))
    throw new ApiError("forbidden", "It waits for approval: only who approves it changes it now.");
  const { publishAt: time, id, ...changes } = input;
  const words = reworded(draft, changes);
  const publishAt = time === undefined ? draft.publish_at : timeFrom(time);
  if (publishAt !== null && draft.operation !== "createPost")
    throw invalid("publishAt", "Only a new post can be scheduled.");
  const state = draft.state === "pending" ? draft.state : stateFor(caller, publishAt);
  const times = { publish_at: publishAt, due_at: dueAt(state, publishAt), failures: 0 };
  const approved = decides(caller) && state === "scheduled" ? 1 : 0;
  await tx
    .updateTable("drafts")
    .set({ input: JSON.stringify(words), state, approved, ...times, last_error: null, edited_at: now })
    .where("id", "=", id)
    .execute();
  if (state === "pending" && draft.state !== state)
    await tell(tx, "approval_wanted", { to: draft.owner_id, draftId: id }, ctx);
  return answerWith(tx, id);
}

/** Shapes of the operations that a draft may be of, to judge what it has become by an edit. */
const shapes = {
  createPost: shapeOf(operations.createPost),
  createComment: shapeOf(operations.createComment),
  editPost: shapeOf(operations.editPost),
  editComment: shapeOf(operations.editComment),
};

/** The draft's input with what was changed, judged as the operation's own. Throws what that would. */
function reworded(draft: FoundDraft, changes: object): Record<string, unknown> {
  const { id, ...before } = JSON.parse(draft.input);
  const params: Record<string, string> = id === undefined ? {} : { id: String(id) };
  return shapes[draft.operation].validate(
    { params, query: "", body: { ...before, ...changes } },
    draft.author,
  );
}

type Decided = Awaited<ReturnType<typeof publishOwn>>;

async function decide(ctx: SignedIn, work: (tx: Db) => Promise<Decided>) {
  const answer = await ctx.write(work);
  lookAtLinks(ctx);
  return answer;
}

async function publishOwn(ctx: SignedIn, tx: Db, id: number) {
  const draft = await lockDraft(tx, id, ctx.caller);
  if (decides(ctx.caller)) return publishNow(ctx, tx, draft);
  if (draft.state === "pending") return waiting(tx, id);
  if (!ctx.caller.key?.approval) return publishNow(ctx, tx, draft);
  await tx.updateTable("drafts").set({ state: "pending", due_at: null }).where("id", "=", id).execute();
  await tell(tx, "approval_wanted", { to: draft.owner_id, draftId: id }, ctx);
  return waiting(tx, id);
}

/** Agrees to it: what asks for a time that is still to come is published then. */
async function approve(ctx: SignedIn, tx: Db, id: number) {
  const draft = await lockDraft(tx, id, ctx.caller);
  const { publish_at } = draft;
  if (publish_at === null || publish_at <= ctx.now) return publishNow(ctx, tx, draft);
  await tx
    .updateTable("drafts")
    .set({ state: "scheduled", approved: 1, due_at: publish_at })
    .where("id", "=", id)
    .execute();
  return waiting(tx, id);
}

async function publishNow(ctx: SignedIn, tx: Db, draft: FoundDraft) {
  const { postId, commentId } = await publishDraft(ctx, tx, draft);
  return { published: true, draft: null, postId, commentId };
}

async function waiting(tx: Db, id: number) {
  return { published: false, ...(await answerWith(tx, id)), postId: null, commentId: null };
}
