import { isWrite, listIn } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { makeAdminWithSource } from "@tandem/testing/admins";
import { addFixtures, inputsFor, makeFixtures, takenBy } from "@tandem/testing/inputs";
import { startTandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { understandPosts } from "../features/similar/understand-posts.ts";
import { countTags } from "../features/tags/count-tags.ts";

/** What they read isn't their list, which is short; or the list is another platform's. */
const notLists: readonly string[] = [
  "listOriginComments",
  "readComment",
  "readOwnKey",
  "readSource",
  "readCommunity",
];

const lists = operationList.flatMap((op) => {
  const list = isWrite(op) || notLists.includes(op.name) ? null : listIn(op);
  return list ? [{ op, list, name: op.name as OperationName }] : [];
});

test("every list can be trimmed, and nothing else", () => {
  const trimmable = operationList.filter(({ query }) => "fields" in query.properties);
  expect(trimmable).toEqual(lists.map(({ op }) => op));
  expect(trimmable.length).toBeGreaterThan(8);
});

describe("the fields parameter", () => {
  test("limits items to the requested fields and changes nothing else", async () => {
    await using tandem = await startTandem("sqlite", {
      env: { GOOGLE_CLIENT_ID: "tandem.apps.example", SIMILAR_POSTS: "1" },
    });
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const own = await makeFixtures(person);
    await agent.likePost({ id: own.postId });
    await agent.createPost({ title: "On that note", quoteId: own.postId });
    await person.repostPost({ id: own.postId });
    await person.attachProduct({ id: own.postId, productId: own.productId });
    await person.follow({ platform: "reddit", author: "ada" });
    await person.mute({ word: "Noise" });
    await person.startLive({ title: "Weaving now" });
    // A hashtag trends once several people use it.
    for (const one of [person, await tandem.as.human()]) await one.createPost({ title: "On #perennials" });
    for (const one of [person, agent]) await one.createPost({ title: "The engine, by a repeater" });
    await understandPosts(tandem.services, AbortSignal.timeout(60_000));
    await countTags(tandem.services, AbortSignal.timeout(60_000));
    const around = await addFixtures(tandem, person, agent);
    const inputs = inputsFor(own, { person, agent, keyId: agent.keyId, ...around });
    await person.createReport(inputs.createReport);
    for (const { name, list } of lists) {
      const whole = (await person.call(name, inputs[name])).body;
      const items = whole[list.name] as Record<string, unknown>[];
      expect([name, items.length]).not.toEqual([name, 0]);
      const names = Object.keys(list.item.properties);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 1 }), async (requested) => {
          const response = await person.call(name, { ...inputs[name], fields: requested.join(",") });
          const shown = items.map((item) =>
            Object.fromEntries(names.filter((one) => requested.includes(one)).map((one) => [one, item[one]])),
          );
          expect(JSON.stringify(response.body)).toBe(JSON.stringify({ ...whole, [list.name]: shown }));
        }),
        { numRuns: 8 },
      );
    }
  });

  test("is rejected if it names an unknown field, and the hint lists the valid ones", async () => {
    await using tandem = await startTandem();
    const person = await tandem.as.human();
    await makeAdminWithSource(tandem.storage, person);
    for (const { name, list } of lists)
      for (const fields of ["", ",", "id,", "secret", "ID", "id, id", "__proto__", "constructor"]) {
        const { status, body } = await person.call(
          name,
          takenBy(name, {
            id: 1,
            username: "someone",
            name: "weaving",
            platform: "native",
            author: "x",
            q: "x",
            mine: 1,
            fields,
          }),
        );
        expect([name, status, body.code, body.field]).toEqual([name, 400, "invalid_input", "fields"]);
        expect(body.hint).toContain(Object.keys(list.item.properties).join(", "));
      }
  });

  test("changes the ETag, and stays in the links of pages", async () => {
    await using tandem = await startTandem();
    const person = await tandem.as.human();
    for (const title of ["One", "Two", "Three"]) await person.createPost({ title });
    const call = (fields: string, known = "") =>
      person.call("listPosts", { limit: 1, fields }, { headers: { "if-none-match": known } });
    const first = await call("id,title");
    const tag = String(first.headers.get("etag"));
    expect(first.headers.get("link")).toMatch(/fields=id%2Ctitle/);
    expect((await call("id,title", tag)).status).toBe(304);
    expect((await call("title,id", tag)).status).toBe(304);
    expect((await call("id", tag)).status).toBe(200);
    expect((await person.call("listPosts", { limit: 1 }, { headers: { "if-none-match": tag } })).status).toBe(
      200,
    );
  });
});
