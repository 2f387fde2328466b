import { makeAdmin } from "@tandem/testing/admins";
import { engines, startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { decisionMarks } from "./0086-decision-marks.ts";

test.each(engines)("existing decisions on %s say who wrote what they quote, if it exists", async (engine) => {
  // Prepared statements would break: normally no service runs during a migration.
  await using tandem = await startTandem(engine, { env: { DATABASE_PREPARES: "0" } });
  const [ada, admin] = [await tandem.as.human(), await tandem.as.human()];
  await makeAdmin(tandem.storage, admin);
  const key = await tandem.as.key(undefined, ada);
  const quoted = '"provenance":"ai_generated","provenanceBasis":"stamped","x":1';
  const { post } = await ada.createPost({ title: quoted, provenance: "ai_assisted" });
  const { post: gone } = await ada.createPost({ title: "Gone" });
  for (const caller of [ada, key]) {
    const { comment } = await caller.createComment({ id: post.id, body: quoted });
    await admin.removeComment({ id: comment.id, reason: "Advertising" });
  }
  for (const { id } of [post, gone]) await admin.removePost({ id, reason: "Advertising" });
  await admin.restorePost({ id: gone.id });
  await ada.deletePost({ id: gone.id });
  await admin.suspendAccount({ id: ada.user.id, reason: "Advertising" });
  const before = (await ada.listDecisions()).decisions;
  expect(new Set(before.map(({ excerptProvenance }) => excerptProvenance)).size).toBe(4);
  await tandem.storage.write(async (tx) => {
    for (const column of ["excerpt_provenance", "excerpt_provenance_basis"])
      await tx.schema.alterTable("decisions").dropColumn(column).execute();
    await decisionMarks(tx);
  });
  const unknown = { excerptProvenance: null, excerptProvenanceBasis: null };
  expect((await ada.listDecisions()).decisions).toEqual(
    before.map((decision) => (decision.postId === gone.id ? { ...decision, ...unknown } : decision)),
  );
});
