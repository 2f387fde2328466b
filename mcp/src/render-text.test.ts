import type { Operation } from "@tandem/contract/operation";
import { operations } from "@tandem/contract/operations";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderText } from "./render-text.ts";
import { NOTICE, quote, userTextIn } from "./user-text.ts";
import { viewOf } from "./view.ts";

const { answer }: Operation = operations.listComments;
const textsOf = (op: Operation) => userTextIn(op.answer);

const comment = (body: string, username = "ada") => ({
  id: 7,
  parentId: null,
  body,
  username,
  likeCount: 0,
  liked: false,
  isAiGenerated: true,
  authorAvatarUrl: "/media/x.webp",
  createdAt: "2026-01-31T12:00:00.000Z",
});

test("an answer is told in one line a thing, without what is null, nothing or for eyes alone", () => {
  const view = viewOf(answer, { comments: [comment("Well said.")], nextCursor: null });
  expect(view).not.toHaveProperty("nextCursor");
  expect(renderText(answer, view)).toBe(
    "comments: 1\n- id 7 · body ⟦Well said.⟧ · username ⟦ada⟧ · isAiGenerated · createdAt 2026-01-31T12:00:00.000Z",
  );
});

test("whatever users write stays between the marks", () => {
  const text = fc.string({ unit: fc.constantFrom("⟦", "⟧", "\n", "a", " ", "é", "🙂"), maxLength: 700 });
  fc.assert(
    fc.property(text, text, (body, username) => {
      const view = viewOf(answer, { comments: [comment(body, username)], nextCursor: 9 });
      const told = renderText(answer, view);
      expect(told.split("⟦")).toHaveLength(3);
      expect(told.split("⟧")).toHaveLength(3);
      const outside = told.replace(/⟦[^⟦⟧]*⟧/g, "");
      expect(outside).not.toMatch(/[é🙂]/u);
    }),
  );
});

test("a cut text says how much is missing, counted as people count", () => {
  const { comments } = viewOf(answer, { comments: [comment("🙂".repeat(510))] }) as {
    comments: { body: string }[];
  };
  expect(comments[0]?.body).toBe(`${"🙂".repeat(500)}… (10 characters more)`);
});

test("every answer that holds others' texts names them", () => {
  expect(textsOf(operations.listComments)).toEqual(["comments[].body", "comments[].username"]);
  expect(textsOf(operations.likePost)).toEqual([]);
  // Of a link post it is the link, as its author wrote it.
  expect(textsOf(operations.readPost)).toEqual(expect.arrayContaining(["post.url", "post.mediaUrl"]));
  expect(textsOf(operations.listProducts)).toContain("products[].url");
  expect(textsOf(operations.listNotifications)).toEqual([
    "notifications[].actor.username",
    "notifications[].actor.displayName",
  ]);
  expect(NOTICE).toContain(quote("").charAt(0));
});
