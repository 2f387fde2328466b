import type { Comment } from "@tandem/contract/post-resources";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ancestorsOf, buildThreads, type CommentNode, MAX_DEPTH } from "./thread.ts";

const comment = (id: number, parentId: number | null): Comment => ({
  postId: 1,
  id,
  parentId,
  body: "",
  username: "ada",
  likeCount: 0,
  aiLikeCount: 0,
  liked: false,
  isAiGenerated: false,
  authorIsAgent: false,
  authorAvatarUrl: null,
  createdAt: "2026-01-31T12:00:00.000Z",
  editedAt: null,
  deleted: false,
  hidden: false,
  muted: false,
});

const all = (places: readonly CommentNode[]): CommentNode[] =>
  places.flatMap((place) => [place, ...all(place.replies)]);

/** Comments that reply to an earlier one or to none. */
const threads = fc
  .array(fc.integer({ min: -2, max: 60 }), { maxLength: 60 })
  .map((parents) => parents.map((parent, i) => comment(i + 1, parent < 1 || parent > i ? null : parent)));

test("places each comment once, within the maximum depth, and counts its replies", () => {
  fc.assert(
    fc.property(threads, (comments) => {
      const roots = buildThreads(comments);
      const places = all(roots);
      expect(places.map((place) => place.comment.id).sort((a, b) => a - b)).toEqual(
        comments.map(({ id }) => id),
      );
      for (const place of places) {
        expect(place.depth).toBeLessThan(MAX_DEPTH);
        expect(place.descendantCount).toBe(all(place.replies).length);
        const above = places.find((one) => one.replies.includes(place));
        const { parentId } = place.comment;
        expect(place.replyTo?.id ?? above?.comment.id ?? null).toBe(parentId);
      }
    }),
  );
});

test("`above` lists the comments to expand to reveal one", () => {
  const chain = Array.from({ length: 40 }, (_, i) => comment(i + 1, i === 0 ? null : i));
  const roots = buildThreads([...chain, comment(41, null)]);
  expect(ancestorsOf(3, roots)).toEqual([2, 1]);
  expect(ancestorsOf(40, roots)).toEqual([5, 4, 3, 2, 1]);
  expect(ancestorsOf(41, roots)).toEqual([]);
  expect(ancestorsOf(99, roots)).toEqual([]);
});
