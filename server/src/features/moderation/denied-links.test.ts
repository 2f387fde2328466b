import { MINUTE } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publishDue } from "../publishing/scheduled.ts";

describe("a denied host", () => {
  let tandem: Tandem;
  let admin: Person;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { now: clock.now });
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.denyLink({ host: "spam.example" });
  });
  afterAll(() => tandem.stop());

  const posting = async (caller: Caller, body: string) => {
    const response = await caller.call("createPost", { title: "Look", body });
    return response.status === 200 ? "200" : `${response.status} ${response.body.code}`;
  };

  test("is found whatever follows or surrounds it", async () => {
    const person = await tandem.as.human();
    for (const body of [
      "See https://spam.example, and tell",
      "**https://spam.example**",
      "[here: https://spam.example]",
      "`https://spam.example`",
      "https://spam.example!",
      "https://spam.example…",
      "https://spam.example|",
      "https://spam.example:443,",
      "https://sp%61m.example;",
      "spa\u00adm.example",
      "http://user(x)@spam.example",
      "请看https://spam.example吧",
      "请看spam.example吧",
      "HTTPS://SPAM.EXAMPLE.",
    ])
      expect([body, await posting(person, body)]).toEqual([body, "400 denied_link"]);
    for (const body of [
      "https://example.org/spam.example",
      "https://example.org?to=spam.example",
      "éspam.example",
      "https://spam.example.org, and",
      "spam.examples",
      "https://%E0%A4%A@example.org",
    ])
      expect([body, await posting(person, body)]).toEqual([body, "200"]);
  });

  test("can be named in a report", async () => {
    const [person, spammer] = [await tandem.as.human(), await tandem.as.human()];
    const { username } = spammer.user;
    const note = "They link to https://spam.example.";
    await person.createReport({ username, reason: "Advertising for spam.example", note });
    const { decision } = await admin.suspendAccount({ id: spammer.user.id, reason: "For spam.example" });
    await spammer.createAppeal({ decisionId: decision.id, text: "I never linked to spam.example." });
    expect((await person.call("sendMessage", { username, body: note })).body.code).toBe("denied_link");
  });

  test("is refused in a draft that is published after it was denied", async () => {
    const host = "late.example";
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    await person.editKey({ id: agent.keyId, approval: true });
    const url = `https://${host}/`;
    const { draft: unscheduled } = await person.createDraft({ title: "Kept", url });
    const publishAt = new Date(clock.now() + MINUTE).toISOString();
    const { draft: scheduled } = await person.createDraft({ title: "Scheduled", url, publishAt });
    const pending = await pendingDraft(agent.createPost({ title: "Pending", body: host }));
    await admin.denyLink({ host });
    for (const [name, id] of [
      ["publishDraft", unscheduled.id],
      ["approveDraft", pending],
    ] as const)
      expect((await person.call(name, { id })).body).toMatchObject({ code: "denied_link" });
    clock.pass(60_001);
    await publishDue(tandem.services, new AbortController().signal);
    const { drafts } = await person.listDrafts({});
    expect(drafts.map(({ id, state }) => [id, state])).toEqual([
      [pending, "pending"],
      [scheduled.id, "kept"],
      [unscheduled.id, "kept"],
    ]);
    expect(drafts[1]?.lastError).toContain("blocked domain");
  });

  test("is refused for products that are newly attached", async () => {
    const host = "shop.example";
    const person = await tandem.as.human();
    const { product } = await person.createProduct({ title: "Teapot", url: `https://${host}/teapot` });
    const { post: shown } = await person.createPost({ title: "Before", productIds: [product.id] });
    const { post } = await person.createPost({ title: "After" });
    await admin.denyLink({ host });
    const refusal = async (name: "createPost" | "attachProduct" | "createDraft", input: object) => {
      const { status, body } = await person.call(name, input);
      return `${status} ${body.code} ${body.field}`;
    };
    expect(await refusal("attachProduct", { id: post.id, productId: product.id })).toBe(
      "400 denied_link productId",
    );
    for (const name of ["createPost", "createDraft"] as const)
      expect(await refusal(name, { title: "After", productIds: [product.id] })).toBe(
        "400 denied_link productIds",
      );
    expect((await person.readPost({ id: shown.id })).post.products).toHaveLength(1);
  });
});
