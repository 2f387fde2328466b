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
    const posts = await postsOf(read, page);
    return {
      activity: page.map((row) => asActivity(row, names.get(row.user_id) ?? "", posts.get(row.id) ?? null)),
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

/** The posts that entries are about, directly or through a comment, by the entries' ids. */
async function postsOf(db: Db, rows: readonly Row[]): Promise<Map<number, Activity["post"]>> {
  const about = (subject: Subject) =>
    rows.flatMap(({ operation, target }) =>
      target !== null && subjects.get(operation) === subject ? [target] : [],
    );
  const { byPost, byComment } = await aboutPosts(db, about("post"), about("comment"));
  const found = { post: byPost, comment: byComment };
  return new Map(
    rows.map(({ id, operation, target }) => {
      const subject = subjects.get(operation);
      const post = subject === "post" || subject === "comment" ? found[subject].get(target ?? 0) : null;
      return [id, post ?? null];
    }),
  );
}

function asActivity(row: Row, username: string, post: Activity["post"]): Activity {
  return { ...asOwnActivity(row), username, keyId: row.key_id, post };
}

export function asOwnActivity(row: Row): OwnActivity {
  const { id, operation, target, creator: name, signer } = row;
  const kind = namedBy(operation);
  const about = (subject: Subject) => (subjects.get(operation) === subject ? target : null);
  return {
    id,
    operation,
    postId: about("post"),
    commentId: about("comment"),
    productId: about("product"),
    draftId: about("draft"),
    webhookId: about("webhook"),
    creator: kind === "creator" ? name : null,
    community: kind === "community" ? name : null,
    tag: kind === "tag" ? name : null,
    signer,
    undone: row.undone === 1,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
