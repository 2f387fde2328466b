import { provenances } from "@tandem/contract/provenance";
import type { Caller, Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/* Random edits by a person and their key: what the list of versions says equals what readers saw, one after another. */

const stepArbitrary = fc.record({
  by: fc.constantFrom("person", "key"),
  act: fc.oneof({ weight: 6, arbitrary: fc.constant("edit") }, fc.constantFrom("clear", "try")),
  text: fc.constantFrom("One", "Two", "Three", "Vier 😀", "`code` & <b>"),
});
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

const historyArbitrary = fc.record({
  kind: fc.constantFrom("post", "comment"),
  first: fc.record({ by: fc.constantFrom("person", "key"), declared: fc.constantFrom(...provenances) }),
  steps: fc.array(stepArbitrary, { maxLength: 14 }),
});

/** What readers see: the text, its mark and who made it. Null text: cleared. */
interface Seen {
  text: string | null;
  provenance: string;
  madeBy: string;
}

const order = ["human", "ai_assisted", "ai_generated"];

describe("random edits", () => {
  let tandem: Tandem;
  let ada: Person;
  let key: Caller;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human();
    key = await tandem.as.key(["posts:write", "comments:write"], ada);
  });
  afterAll(() => tandem.stop());

  /** A post or comment, by the operations that both have. */
  async function create(kind: string, author: Caller, declared: (typeof provenances)[number]) {
    const { id } = (await ada.createPost({ title: "A post" })).post;
    if (kind === "post") {
      const { post } = await author.createPost({ title: "First", provenance: declared });
      const it = { id: post.id };
      return {
        edit: (by: Caller, title: string, dryRun: boolean) =>
          by.call("editPost", { ...it, title }, { dryRun }),
        clear: () => ada.clearPostVersions(it),
        current: async () => {
          const { title, provenance } = (await ada.readPost(it)).post;
          return { text: title, provenance };
        },
        list: async () =>
          (await ada.listPostVersions({ ...it, limit: 50 })).versions.map(({ title, ...rest }) => ({
            ...rest,
            text: title,
          })),
      };
    }
    const { comment } = await author.createComment({ id, body: "First" });
    const it = { id: comment.id };
    return {
      edit: (by: Caller, body: string, dryRun: boolean) =>
        by.call("editComment", { ...it, body }, { dryRun }),
      clear: () => ada.clearCommentVersions(it),
      current: async () => {
        const found = (await ada.listComments({ id })).comments.find((one) => one.id === it.id);
        return { text: found?.body, provenance: found?.isAiGenerated ? "ai_generated" : "human" };
      },
      list: async () =>
        (await ada.listCommentVersions({ ...it, limit: 50 })).versions.map(({ body, ...rest }) => ({
          ...rest,
          text: body,
        })),
    };
  }

  test("are the versions that readers saw, and none loses an AI mark", async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async ({ kind, first, steps }) => {
        const callers = { person: ada, key };
        const declared = kind === "post" ? first.declared : "human";
        const it = await create(kind, callers[first.by as keyof typeof callers], first.declared);
        const isByKey = first.by === "key";
        let seen: Seen[] = [
          {
            text: "First",
            provenance: isByKey ? "ai_generated" : declared,
            madeBy: isByKey ? "ai" : "person",
          },
        ];
        let basis = isByKey ? "stamped" : "declared";
        for (const { by, act, text } of steps as Step[]) {
          const caller = callers[by as keyof typeof callers];
          if (act === "clear") {
            await it.clear();
            seen = seen.map((one, i) => (i === seen.length - 1 ? one : { ...one, text: null }));
            continue;
          }
          expect((await it.edit(caller, text, act === "try")).status).toBe(200);
          if (act === "try") continue;
          const now = seen.at(-1) as Seen;
          const stamps = by === "key" && basis !== "stamped";
          if (stamps) basis = "stamped";
          // Of comments, a declared mark can't be told from a stamped one.
          const next = {
            text,
            provenance: by === "key" ? "ai_generated" : now.provenance,
            madeBy: by === "key" ? "ai" : "person",
          };
          if (text !== now.text || stamps) seen.push(next);
        }
        const versions = (await it.list()).toReversed();
        expect(versions.map(({ text, provenance, madeBy }) => ({ text, provenance, madeBy }))).toEqual(seen);
        expect(versions.map(({ version }) => version)).toEqual(seen.map((_, i) => i + 1));
        const { text, provenance } = seen.at(-1) as Seen;
        expect(await it.current()).toEqual({ text, provenance });
        const marks = versions.map((version) => order.indexOf(version.provenance));
        expect(marks).toEqual(marks.toSorted((a, b) => a - b));
        for (const { current, text, cleared } of versions)
          expect(cleared === null).toBe(current || text !== null);
      }),
      { numRuns: 12 },
    );
  });
});
