import type { CommentVersion } from "@tandem/contract/versions";
import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { clearVersions } from "../versions/clear-versions.ts";
import { currentVersion, listVersions } from "../versions/list-versions.ts";
import { type CommentContent, firstVersion, versionColumns } from "./comment-versions.ts";
import { findComment, findOwnComment } from "./comments.queries.ts";

export const commentVersions = {
  async listCommentVersions(ctx, { id, limit, cursor }) {
    const { user_id: authorId, post_id: postId } = await findComment(ctx.read, id);
    const { username, ...row } = await readCurrent(ctx.read, id);
    const current = currentVersion(row, firstVersion(row));
    const list = { kind: "comment", id, current, authorId, limit, cursor } as const;
    const { page, nextCursor } = await listVersions(ctx, list);
    const versions = page.map(
      ({ facts, content }): CommentVersion => ({
        ...facts,
        body: facts.current ? row.body : bodyOf(content),
      }),
    );
    return { versions, postId, username, nextCursor };
  },
  clearCommentVersions: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findOwnComment(tx, id, ctx.caller);
      return { cleared: await clearVersions(tx, "comment", id, { by: "author", now: ctx.now }) };
    }),
} satisfies Handlers<"listCommentVersions" | "clearCommentVersions">;

async function readCurrent(db: Db, id: number) {
  const row = await db
    .selectFrom("comments as c")
    .innerJoin("users as u", "u.id", "c.user_id")
    .select(versionColumns.map((name) => `c.${name}` as const))
    .select("u.username")
    .where("c.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("comment");
  return row;
}

function bodyOf(content: string | null): string | null {
  if (content === null) return null;
  const { body }: CommentContent = JSON.parse(content);
  return body;
}
