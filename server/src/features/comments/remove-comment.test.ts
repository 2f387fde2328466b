import type { Comment } from "@tandem/contract/post-resources";
import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("deleting a comment on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  afterAll(() => tandem.stop());

  const newPost = async () => (await ada.createPost({ title: "To be discussed" })).post.id;

  once("leaves an empty placeholder if it has replies", async () => {
    const id = await newPost();
    const { comment } = await ada.createComment({ id, body: "Secret" });
    const reply = (await bob.createComment({ id, body: "Reply", parentId: comment.id })).comment;
    await Promise.all([
      bob.likeComment({ id: comment.id }),
      ada.editComment({ id: comment.id, body: "Secrets" }),
    ]);
    expect(await ada.deleteComment({ id: comment.id })).toEqual({ deleted: true });
    const { comments } = await bob.listComments({ id });
    expect(comments).toEqual([
      {
        ...comment,
        body: "",
        username: "[deleted]",
        likeCount: 0,
        liked: false,
        deleted: true,
        editedAt: expect.any(String),
      } satisfies Comment,
      reply,
    ]);
    expect((await bob.readPost({ id })).post.commentCount).toBe(1);
    for (const name of ["likeComment", "unlikeComment", "deleteComment"] as const) {
      expect((await ada.call(name, { id: comment.id })).status).toBe(404);
    }
    expect((await ada.call("editComment", { id: comment.id, body: "Back" })).status).toBe(404);
  });

  once("deletes the placeholders above it, up to one that has other replies", async () => {
    const id = await newPost();
    const say = async (parentId: number | null) =>
      (await ada.createComment({ id, body: "Said", parentId })).comment.id;
    const top = await say(null);
    const [left, right] = [await say(top), await say(top)];
    const [leftReply, rightReply] = [await say(left), await say(right)];
    const idsAfterDeleting = async (deleted: number) => {
      await ada.deleteComment({ id: deleted });
      return (await ada.listComments({ id })).comments.map((comment) => comment.id);
    };
    for (const parent of [top, left, right]) {
      expect(await idsAfterDeleting(parent)).toEqual([top, left, right, leftReply, rightReply]);
    }
    expect(await idsAfterDeleting(leftReply)).toEqual([top, right, rightReply]);
    expect(await idsAfterDeleting(rightReply)).toEqual([]);
  });

  // Two of three steps add a comment, so that threads grow deep before they are pruned.
  const acts = fc.array(fc.record({ remove: fc.constantFrom(true, false, false), at: fc.nat(30) }), {
    minLength: 8,
    maxLength: 20,
    size: "max",
  });

  test("keeps a placeholder in any thread exactly as long as it has replies", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (steps) => {
        const id = await newPost();
        const known: Known[] = [];
        for (const { remove, at } of steps) {
          const living = known.filter(({ deleted }) => !deleted);
          const target = living[at % (living.length + 1)];
          if (remove && target) {
            await ada.deleteComment({ id: target.id });
            prune(known, target);
          } else {
            const parentId = target?.id ?? null;
            const { comment } = await ada.createComment({ id, body: "Said", parentId });
            known.push({ id: comment.id, parentId, deleted: false });
          }
        }
        const [{ comments }, { post }] = await Promise.all([bob.listComments({ id }), bob.readPost({ id })]);
        expect(comments.map(({ id, parentId, deleted }) => ({ id, parentId, deleted }))).toEqual(known);
        expect(post.commentCount).toBe(known.filter(({ deleted }) => !deleted).length);
      }),
      { numRuns: engine === "sqlite" ? 10 : 4 },
    );
  });
});

interface Known {
  id: number;
  parentId: number | null;
  deleted: boolean;
}

/** Marks the comment as deleted, then removes placeholders without replies until none is left. */
function prune(known: Known[], target: Known): void {
  target.deleted = true;
  for (;;) {
    const unneeded = known.findIndex(
      ({ id, deleted }) => deleted && !known.some(({ parentId }) => parentId === id),
    );
    if (unneeded < 0) return;
    known.splice(unneeded, 1);
  }
}
