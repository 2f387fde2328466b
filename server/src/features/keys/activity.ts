import type { Activity, OwnActivity } from "@tandem/contract/drafts";
import { limits } from "@tandem/contract/limits";
import { type Operation, type Subject, subjectOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import type { Selectable } from "kysely";
import { namedBy } from "../../http/activity.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import type { ActivityRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import { findOwnAgent, readAgents } from "../accounts/agents.queries.ts";
import { aboutPosts } from "../posts/about-posts.ts";
import { type FoundApproval, readApprovals } from "../publishing/decisions.ts";
import { noSuchKey } from "./keys.queries.ts";

export const activity = {
  async listActivity({ caller, read, nextPage }, { agentId, keyId, limit = limits.page.default, cursor }) {
    const agents = await readAgents(read, caller.userId);
    if (agentId !== undefined) await findOwnAgent(read, agentId, caller);
    const accounts = agentId === undefined ? [caller.userId, ...agents.map(({ id }) => id)] : [agentId];
    const range = { before: cursor ?? MAX_ID, limit: limit + 1 };
    const rows =
      keyId === undefined
        ? await ofAccounts(read, accounts, range)
        : await ofKey(read, keyId, accounts, range).execute();
    if (keyId !== undefined && rows.length === 0) await requireOwnKey(read, keyId, caller.userId);
    const { page, nextCursor } = pageOf({ nextPage }, rows, limit);
    const names = new Map([
      [caller.userId, caller.username],
      ...agents.map(({ id, username }) => [id, username] as const),
    ]);
    const entries = await asOwnActivity(read, page);
    const { byPost, byComment } = await aboutPosts(
      read,
      entries.flatMap(({ postId }) => postId ?? []),
      entries.flatMap(({ commentId }) => commentId ?? []),
    );
    return {
      activity: entries.map((entry, i): Activity => {
        const { user_id, key_id } = page[i] as Row;
        const post = byPost.get(entry.postId ?? 0) ?? byComment.get(entry.commentId ?? 0) ?? null;
        return { ...entry, username: names.get(user_id) ?? "", keyId: key_id, post };
      }),
      nextCursor,
    };
  },
} satisfies Handlers<"listActivity">;

type Row = Selectable<ActivityRow>;

interface Range {
  before: number;
  limit: number;
}

/** Reads a page of each account and merges them: the accounts are few. */
async function ofAccounts(db: Db, accounts: number[], { before, limit }: Range): Promise<Row[]> {
  const parts = await Promise.all(accounts.map((user) => ofAccount(db, user, { before, limit }).execute()));
  return parts
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, limit);
}

export function ofAccount(db: Db, user: number, { before, limit }: Range) {
  return db
    .selectFrom("activity")
    .selectAll()
    .where("user_id", "=", hideFromPlanner(user))
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit);
}

/** Also finds the activity of a revoked key, since its entries keep the key's id. */
export function ofKey(db: Db, keyId: number, accounts: number[], { before, limit }: Range) {
  return db
    .selectFrom("activity")
    .selectAll()
    .where("key_id", "=", hideFromPlanner(keyId))
    .where("user_id", "in", accounts)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit);
}

async function requireOwnKey(db: Db, id: number, ownerId: number): Promise<void> {
  const key = await db
    .selectFrom("keys")
    .select("id")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (!key) throw noSuchKey();
}

const subjects = new Map(operationList.map((op: Operation) => [op.name, subjectOf(op)]));

/** Entries as their key sees them. */
export async function asOwnActivity(db: Db, rows: readonly Row[]): Promise<OwnActivity[]> {
  const approvals = await readApprovals(
    db,
    rows.flatMap(({ draft_id }) => draft_id ?? []),
  );
  return rows.map((row) => asEntry(row, approvals.get(row.draft_id ?? 0)));
}

function asEntry(row: Row, asked: FoundApproval | undefined): OwnActivity {
  const { id, operation, target, draft_id, creator: name, signer } = row;
  const kind = namedBy(operation);
  const subject = subjects.get(operation);
  const about = (wanted: Subject) => (subject === wanted ? target : null);
  // What asks for approval is about a draft, but people look for what that would change or has published.
  const ofDraft = subject === "draft" ? asked : undefined;
  return {
    id,
    operation,
    postId: about("post") ?? ofDraft?.postId ?? null,
    commentId: about("comment") ?? ofDraft?.commentId ?? null,
    productId: about("product"),
    draftId: about("draft") ?? draft_id,
    webhookId: about("webhook"),
    creator: kind === "creator" ? name : null,
    community: kind === "community" ? name : null,
    tag: kind === "tag" ? name : null,
    signer,
    approval: asked?.approval ?? null,
    undone: row.undone === 1,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
