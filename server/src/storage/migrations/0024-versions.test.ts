import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "../storage.ts";
import { versions } from "./0024-versions.ts";

test.each(engines)(
  "what was edited on %s before versions were kept begins with version 2",
  async (engine) => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const quoted = 'They wrote: ,"editedAt":"2026-01-01T00:00:00.000Z",';
    const { post } = await ada.createPost({ title: "Never edited", body: quoted });
    const { post: edited } = await ada.createPost({ title: "First" });
    await ada.editPost({ id: edited.id, title: "Second" });
    const { comment } = await ada.createComment({ id: post.id, body: "Never edited" });
    const { comment: editedComment } = await ada.createComment({ id: post.id, body: "First" });
    await ada.editComment({ id: editedComment.id, body: "Second" });
    await tandem.storage.write(async (tx) => {
      await undo(tx);
      await versions(tx);
    });
    const { rows } = await sql<{
      id: number;
      version: number;
    }>`select id, version from posts order by id`.execute(tandem.storage.read);
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { id: post.id, version: 1 },
      { id: edited.id, version: 2 },
    ]);
    const { rows: comments } = await sql<{ id: number; version: number }>`
    select id, version from comments order by id`.execute(tandem.storage.read);
    expect(comments.map((row) => ({ ...row }))).toEqual([
      { id: comment.id, version: 1 },
      { id: editedComment.id, version: 2 },
    ]);
    await ada.editPost({ id: edited.id, title: "Third" });
    expect(
      await tandem.storage.read.selectFrom("post_versions").select(["version", "made_by"]).execute(),
    ).toEqual([{ version: 2, made_by: "person" }]);
  },
);

async function undo(tx: Db): Promise<void> {
  for (const subject of ["post", "comment"]) {
    await tx.schema.dropTable(`${subject}_versions`).execute();
    for (const column of ["version", "version_at", "version_by", "edited_with"])
      await tx.schema.alterTable(`${subject}s`).dropColumn(column).execute();
  }
}
