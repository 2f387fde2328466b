import type { Draft } from "@tandem/contract/drafts";
import { sql } from "kysely";
import { authorNameOf, fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { DELETED_AUTHOR } from "../comments/comments.queries.ts";
import { readDraftQuotes } from "../posts/quotes.ts";
import type { ParsedDraft } from "./draft-input.ts";

/* What drafts refer to, so that those who decide on them can read it: one query per kind for all of them, and none if no draft needs it. */

type Named<Field extends keyof Draft> = NonNullable<Draft[Field]>;

export type References = Pick<Draft, "comment" | "products" | "quote" | "chosenOptions">;

/** Reads what these drafts refer to. Returns what one of them does. */
export async function readReferences(
  db: Db,
  drafts: readonly ParsedDraft[],
  now: number,
): Promise<(draft: ParsedDraft) => References> {
  const commentOf = ({ operation, input, subject }: ParsedDraft) => {
    const isChange = operation === "editComment" || operation === "deleteComment";
    return input.parentId ?? (isChange ? null : subject.commentId);
  };
  const votes = drafts.filter(({ input }) => input.choices);
  const [comments, products, quotes, options] = await Promise.all([
    readComments(
      db,
      drafts.flatMap((draft) => commentOf(draft) ?? []),
    ),
    readProducts(
      db,
      drafts.flatMap(({ input }) => input.productIds ?? []),
    ),
    readDraftQuotes(
      db,
      drafts.flatMap(({ id, user_id, input: { quoteId } }) =>
        quoteId == null ? [] : { id, quoted_id: quoteId, user_id },
      ),
      now,
    ),
    readOptions(
      db,
      votes.flatMap(({ subject }) => subject.postId ?? []),
    ),
  ]);
  return (draft) => {
    const { productIds, choices } = draft.input;
    const offered = options.get(draft.subject.postId ?? 0);
    // The same id twice is one product in the post, too.
    const shownIds = productIds && [...new Set(productIds)];
    return {
      comment: comments.get(commentOf(draft) ?? 0) ?? null,
      products: shownIds?.flatMap((id) => products.get(`${id} of ${draft.user_id}`) ?? []) ?? null,
      quote: quotes.get(draft.id) ?? null,
      chosenOptions: (choices && offered && choices.flatMap((choice) => offered[choice] ?? [])) ?? null,
    };
  };
}

/** Leaves out deleted comments, and those on removed posts. */
async function readComments(db: Db, ids: readonly number[]): Promise<Map<number, Named<"comment">>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("comments as c")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .leftJoin("users as u", "u.id", "c.user_id")
    .select(["c.id", "c.body", "c.is_ai", "u.username", "u.display_name"])
    .where(sql<boolean>`c.id in (${db.engine.oneOf(ids)})`)
    .where("c.deleted", "=", 0)
    .where("p.removed", "=", 0)
    .execute();
  return new Map(
    rows.map(({ id, body, is_ai, username, display_name }) => [
      id,
      {
        ...{ id, username: username ?? DELETED_AUTHOR, ...authorNameOf(display_name) },
        ...{ body, isAiGenerated: is_ai === 1 },
      },
    ]),
  );
}

/** By id and seller: posts show only their author's own. */
async function readProducts(db: Db, ids: readonly number[]): Promise<Map<string, Named<"products">[number]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("products")
    .select(["id", "user_id", "title", "url", "is_ai"])
    .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
    .execute();
  return new Map(
    rows.map(({ id, user_id, title, url, is_ai }) => [
      `${id} of ${user_id}`,
      { id, title, url, isAiGenerated: is_ai === 1 },
    ]),
  );
}

/** The options of these posts' polls, by post id. */
async function readOptions(db: Db, postIds: readonly number[]): Promise<Map<number, readonly string[]>> {
  if (postIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("posts")
    .select(["id", "fragment"])
    .where(sql<boolean>`id in (${db.engine.oneOf(postIds)})`)
    .where("removed", "=", 0)
    .execute();
  return new Map(rows.map(({ id, fragment }) => [id, fromFragment(fragment).poll?.options ?? []]));
}
