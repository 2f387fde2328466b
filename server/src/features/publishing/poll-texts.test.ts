import { checkReceipt } from "@tandem/client/check-receipt";
import { DAY, MINUTE } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../http/key-format.ts";
import { jsonOf, partsOf } from "../account-export/export-parts.ts";

describe("a poll's options", () => {
  let tandem: Tandem;
  let ada: Person;
  /** The service's clock is ahead by this much. */
  let ahead = 0;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { now: () => Date.now() + ahead });
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  const closesAt = new Date(Date.now() + DAY).toISOString();
  const ask = async (options: string[], more = {}) =>
    (await ada.createPost({ title: "Which loom?", poll: { options, closesAt }, ...more })).post.id;
  const page = async (path: string, accept: string) =>
    (await fetch(tandem.baseUrl + path, { headers: { accept } })).text();

  test("are in feeds, pages, reports and receipts, and behind a content warning", async () => {
    const id = await ask(["A <jacquard>", "Dobby"]);
    const warned = await ask(["Spoiled", "Fresh"], { contentWarning: "Food" });
    const bot = await tandem.as.agent();
    await bot.vote({ id, choices: [1] });
    const profile = `/creators/native/${ada.user.username}`;
    for (const format of ["rss", "atom", "json"]) {
      const feed = await page(`${profile}/feed.${format}`, "*/*");
      expect([format, feed.includes("Dobby"), feed.includes("Spoiled")]).toEqual([format, true, false]);
    }
    const markdown = await page(`/posts/${id}`, "text/markdown");
    expect(markdown).toContain(`Poll until ${closesAt.slice(0, 10)}`);
    expect(markdown).toContain("Voters: 0 people, 1 AI");
    expect(markdown).toContain("1: `Dobby`: 0 by people, 1 by AI");
    expect(await page(profile, "text/markdown")).not.toContain("Spoiled");
    const html = await page(`/posts/${id}`, "text/html");
    expect(html).toContain("A &lt;jacquard&gt;</p>");
    expect((await page(`/posts/${warned}`, "text/html")).split("</head>")[0]).not.toContain("Spoiled");
    const { ok, results } = await checkReceipt({ baseUrl: tandem.baseUrl, postId: id, commentId: null });
    expect({ ok, text: results.text }).toEqual({ ok: true, text: "passed" });
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.createReport({ postId: id, reason: "spam" });
    const { cases } = await admin.listCases();
    expect(cases.map(({ target }) => target.excerpt)).toEqual(["Which loom? · A <jacquard> · Dobby"]);
  });

  test("are muted like other text", async () => {
    const reader = await tandem.as.human();
    const id = await ask(["Backstrap", "Rigid heddle"]);
    const seen = async () => (await reader.listPosts()).posts.some((post) => post.id === id);
    expect(await seen()).toBe(true);
    await reader.mute({ word: "heddle" });
    expect(await seen()).toBe(false);
  });

  test("contain no keys and no links to blocked domains", async () => {
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.denyLink({ host: "bad.example", reason: "Phishing" });
    for (const [text, code] of [
      [`Key ${newKey()}`, "key_exposed"],
      ["See https://bad.example/", "denied_link"],
    ])
      await expect(ask(["Fine", String(text)])).rejects.toMatchObject({ code, field: "poll" });
  });

  test("are said to be closed once they are", async () => {
    const at = Date.now() + 10 * MINUTE;
    const title = "Soon over";
    const poll = { options: ["Jacquard", "Dobby"], closesAt: new Date(at).toISOString() };
    const { id } = (await ada.createPost({ title, poll })).post;
    await (await tandem.as.human()).vote({ id, choices: [0] });
    ahead = 10 * MINUTE;
    const markdown = await page(`/posts/${id}`, "text/markdown");
    expect(markdown).toMatch(/Poll, closed .* Voters: 1 person, 0 AI/);
    const feed = await page(`/creators/native/${ada.user.username}/feed.json`, "*/*");
    expect(feed).toContain("Poll, closed");
    ahead = 0;
  });

  test("can be sent in a form", async () => {
    const form = new FormData();
    form.set("title", "Which loom?");
    form.set("poll", JSON.stringify({ options: ["Jacquard", "Dobby"], closesAt, isMultiple: true }));
    const response = await fetch(`${tandem.baseUrl}/api/posts`, {
      method: "POST",
      headers: ada.options.headers ?? {},
      body: form,
    });
    const { post } = (await response.json()) as { post: { poll: unknown } };
    expect(post.poll).toEqual({ options: ["Jacquard", "Dobby"], closesAt, isMultiple: true });
  });

  test("and votes are in exports of those who wrote and cast them alone", async () => {
    const [voter, other] = [await tandem.as.human(), await tandem.as.human()];
    const id = await ask(["Wool", "Linen"]);
    await voter.vote({ id, choices: [1] });
    await other.vote({ id, choices: [0] });
    const exported = async ({ user }: Person, name: string) => {
      const part = partsOf.person.find((one) => one.name === name);
      if (!part) throw new Error(`no part ${name}`);
      let text = "";
      for await (const piece of jsonOf(tandem.storage.read, part, user.id)) text += piece;
      return JSON.parse(text);
    };
    const own = { postId: id, byAi: 0, choices: [1], votedAt: expect.any(String) };
    expect(await exported(voter, "votes")).toEqual([own]);
    expect(await exported(ada, "votes")).toEqual([]);
    const results = await exported(ada, "poll-results");
    const counts = { voteCount: 1, aiVoteCount: 0, voterCount: 2, aiVoterCount: 0 };
    expect(results.slice(-2)).toEqual([0, 1].map((position) => ({ postId: id, position, ...counts })));
    // Also once a moderator removed the post.
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.removePost({ id, reason: "Spam" });
    expect(await exported(ada, "poll-results")).toEqual(results);
    expect(await exported(voter, "poll-results")).toEqual([]);
  });
});
