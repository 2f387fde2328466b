import type { Operation } from "@tandem/contract/operation";
import { operations } from "@tandem/contract/operations";
import fc from "fast-check";
import Type from "typebox";
import { expect, test } from "vitest";
import { renderText } from "./render-text.ts";
import { NOTICE, quote } from "./user-text.ts";
import { userTextIn, viewOf } from "./view.ts";

const { response }: Operation = operations.listComments;
const textsOf = (op: Operation) => userTextIn(op.response);

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

test("renders one line per object, without nulls, zeros and display fields", () => {
  const view = viewOf(response, { comments: [comment("Well said.")], nextCursor: null });
  expect(view).not.toHaveProperty("nextCursor");
  expect(renderText(response, view)).toBe(
    "comments: 1\n- id 7 · body ⟦Well said.⟧ · username ⟦ada⟧ · isAiGenerated · createdAt 2026-01-31T12:00:00.000Z",
  );
});

test("leaves out objects of which it leaves out every field", () => {
  const schema = Type.Object({ days: Type.Array(Type.Object({})) });
  const days = [{ day: "2026-01-31", human: { declared: 0 }, aiGenerated: { stamped: 2, declared: 0 } }];
  expect(renderText(schema, { days })).toBe("days: 1\n- day 2026-01-31 · aiGenerated (stamped 2)");
});

test("keeps user text between the delimiters", () => {
  const text = fc.string({ unit: fc.constantFrom("⟦", "⟧", "\n", "a", " ", "é", "🙂"), maxLength: 700 });
  fc.assert(
    fc.property(text, text, (body, username) => {
      const view = viewOf(response, { comments: [comment(body, username)], nextCursor: 9 });
      const rendered = renderText(response, view);
      expect(rendered.split("⟦")).toHaveLength(3);
      expect(rendered.split("⟧")).toHaveLength(3);
      const outside = rendered.replace(/⟦[^⟦⟧]*⟧/g, "");
      expect(outside).not.toMatch(/[é🙂]/u);
      const [shown] = (view as { comments: { body: string; username: string }[] }).comments;
      expect(`${shown?.body}${shown?.username}`).toMatch(/^⟦[^⟦⟧]*⟧⟦[^⟦⟧]*⟧$/);
    }),
  );
});

test("states how many characters of a truncated text are missing, in code points", () => {
  const { comments } = viewOf(response, { comments: [comment("🙂".repeat(510))] }) as {
    comments: { body: string }[];
  };
  expect(comments[0]?.body).toBe(`⟦${"🙂".repeat(500)}… (10 more characters)⟧`);
});

test("lists the paths of user text in every response", () => {
  expect(textsOf(operations.listComments)).toEqual([
    "comments[].body",
    "comments[].username",
    "comments[].authorName",
  ]);
  expect(textsOf(operations.likePost)).toEqual([]);
  // The mediaUrl of a link post is the link as its author wrote it.
  expect(textsOf(operations.readPost)).toEqual(expect.arrayContaining(["post.url", "post.mediaUrl"]));
  expect(textsOf(operations.listProducts)).toContain("products[].url");
  expect(textsOf(operations.listNotifications)).toEqual([
    "notifications[].actor.username",
    "notifications[].actor.displayName",
    "notifications[].excerpt",
    "notifications[].community",
  ]);
  expect(NOTICE).toContain(quote("").charAt(0));
});
