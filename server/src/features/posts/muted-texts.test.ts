import fc from "fast-check";
import { expect, test } from "vitest";
import { phraseOf, wordsOf } from "../shared/muted-text.ts";
import type { Mutes } from "../shared/mutes.ts";
import type { NextPage } from "./feed.queries.ts";
import type { Selection } from "./feed-query.ts";
import { withoutMutedTexts } from "./muted-texts.ts";

const mutes: Mutes = {
  creators: [],
  users: new Set(),
  names: new Set(),
  words: [phraseOf(wordsOf("loom"))],
  tags: new Set(),
  reader: { userId: 1, username: "ada" },
};

test("pages lose and repeat no post, however early each one ends", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.constantFrom(0, 30, 100_000),
      async (muted, take, hot, mostCharacters) => {
        const all = muted.map((isMuted, i) => {
          const title = isMuted ? "A loom" : "Tea";
          return { id: muted.length - i, json: JSON.stringify({ platform: "native", author: "bob", title }) };
        });
        const read = async ({ skip, below, take }: Selection): Promise<NextPage> => {
          const rest = hot ? all.slice(skip) : all.filter(({ id }) => id < below);
          const page = rest.slice(0, take);
          const next = rest.length > take ? (hot ? skip + take : (page.at(-1)?.id ?? 0)) : null;
          return { posts: page.map(({ json }) => json), ids: page.map(({ id }) => id), next };
        };
        const seen: number[] = [];
        let at = { hot, skip: 0, below: Number.MAX_SAFE_INTEGER, take } as Selection;
        for (let next: number | null = 0; next !== null; ) {
          const page = await withoutMutedTexts(read, at, mutes, mostCharacters);
          seen.push(...page.ids);
          next = page.next;
          if (next !== null) at = hot ? { ...at, skip: next } : { ...at, below: next };
        }
        expect(seen).toEqual(all.filter((_, i) => !muted[i]).map(({ id }) => id));
      },
    ),
  ));
