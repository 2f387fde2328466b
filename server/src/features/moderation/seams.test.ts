import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { makeVideo } from "@tandem/testing/videos";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf, partsOf } from "../account-export/export-parts.ts";

const reason = "Advertising";

describe.each(engines)("removals and other features on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let admin: Person;
  let author: Person;
  let reader: Person;
  beforeAll(async () => {
    const env = {
      LIMIT_HOLDING_REPORTS: "1",
      LIMIT_HOLDING_ACCOUNT_DAYS: "0",
      LIMIT_HOLDING_FULL_WEIGHT_DAYS: "0",
      LIMIT_GRADUATION_STANDARD_DAYS: "0",
      LIMIT_GRADUATION_STANDARD_WRITES: "2",
    };
    tandem = await startTandem(engine, { env });
    [admin, author, reader] = await Promise.all([tandem.as.human(), tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  once("stop serving a removed post's images until it is restored", async () => {
    const image = new Blob([new Uint8Array(await drawPicture({ width: 60, height: 40 }))]);
    const { post } = await author.createPost({ title: "A loom", image });
    const get = async (headers = {}) =>
      (await fetch(`${tandem.baseUrl}${post.mediaUrl}`, { headers })).status;
    expect(await get()).toBe(200);
    await admin.removePost({ id: post.id, reason });
    expect([await get(), await get({ "if-none-match": "*" })]).toEqual([404, 404]);
    await admin.restorePost({ id: post.id });
    expect(await get()).toBe(200);
  });

  once("create a video's poster even if the post was removed meanwhile", async () => {
    const video = new Blob([new Uint8Array(await makeVideo())]);
    const { post } = await author.createPost({ title: "Weaving", video });
    await admin.removePost({ id: post.id, reason });
    await tandem.services.afterResponse.idle();
    const { post: next } = await author.createPost({ title: "Weaving on", video });
    await tandem.services.afterResponse.idle();
    await admin.restorePost({ id: post.id });
    for (const { id } of [post, next]) expect((await reader.readPost({ id })).post.mediaState).toBe("ready");
  });

  test("update a removed post's product card without returning it to feeds", async () => {
    const { product } = await author.createProduct({ title: "Teapot", url: "https://example.org/teapot" });
    const { post } = await author.createPost({ title: "For tea", productIds: [product.id] });
    const row = () =>
      tandem.storage.read
        .selectFrom("posts")
        .select(["platform", "provenance", "media_type"])
        .where("id", "=", post.id)
        .executeTakeFirst();
    const before = await row();
    await admin.removePost({ id: post.id, reason });
    const removed = await row();
    await author.editProduct({ id: product.id, title: "A better teapot" });
    expect(await row()).toEqual(removed);
    await admin.restorePost({ id: post.id });
    expect(await row()).toEqual(before);
    expect((await reader.readPost({ id: post.id })).post.products[0]?.title).toBe("A better teapot");
  });

  once("include removed posts in the author's export", async () => {
    const { post } = await author.createPost({ title: "Mine after all" });
    await admin.removePost({ id: post.id, reason });
    const part = partsOf.person.find(({ name }) => name === "removed-posts");
    if (!part) throw new Error("removed posts are exported");
    let json = "";
    for await (const piece of jsonOf(tandem.storage.read, part, author.user.id)) json += piece;
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({ id: post.id, title: "Mine after all" }),
    );
  });

  once("remove and restore a comment independently of its post", async () => {
    const { post } = await author.createPost({ title: "Talked about" });
    const { comment } = await reader.createComment({ id: post.id, body: "Buy mine." });
    const count = async () => (await reader.readPost({ id: post.id })).post.commentCount;
    const totals = (await author.analytics()).totals;
    await admin.removePost({ id: post.id, reason });
    await admin.removeComment({ id: comment.id, reason });
    await admin.restorePost({ id: post.id });
    expect(await count()).toBe(0);
    expect((await author.analytics()).totals.comments).toBe(totals.comments - 1);
    await admin.removePost({ id: post.id, reason });
    await admin.restoreComment({ id: comment.id });
    await admin.restorePost({ id: post.id });
    expect(await count()).toBe(1);
    expect((await author.analytics()).totals).toEqual(totals);
  });

  once("accept an appeal about deleted content and withdraw the strike", async () => {
    const operator = await tandem.as.human();
    const agent = await tandem.as.agent(operator);
    const { post } = await author.createPost({ title: "Soon gone" });
    const { comment } = await agent.createComment({ id: post.id, body: "Said." });
    const { decision } = await admin.removeComment({ id: comment.id, reason });
    await author.deletePost({ id: post.id });
    await operator.createAppeal({ decisionId: decision.id, text: "It was no advertisement." });
    const answered = await admin.answerAppeal({ id: decision.id, accept: true, answer: "So it wasn't." });
    expect(answered.decision).toMatchObject({ stands: false, appeal: { state: "accepted" } });
    expect((await agent.readOwnKey()).strikes).toBe(0);
    expect((await admin.listAppeals({})).decisions).toEqual([]);
  });

  test("turn a hold into a removal when the author is suspended for it", async () => {
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "Reported" });
    await reader.createReport({ postId: post.id, reason });
    const { cases } = await admin.listCases({ kind: "post", limit: 1 });
    expect(cases[0]).toMatchObject({ held: true, target: { id: post.id } });
    const settled = await admin.resolveReports({ ids: [Number(cases[0]?.id)], action: "suspend", reason });
    expect(settled.cases[0]).toMatchObject({ state: "resolved", outcome: "suspended" });
    const { decisions } = await person.listDecisions({});
    expect(decisions.map(({ act, automated, stands }) => [act, automated, stands])).toEqual([
      ["remove_post", false, true],
      ["suspend", false, true],
      ["hold_post", true, false],
    ]);
  });

  once("promote a key that an admin lowered only by hand", async () => {
    const agent = await tandem.as.agent();
    for (const title of ["One", "Two"]) await agent.createPost({ title });
    expect(await agent.readOwnKey()).toMatchObject({ tier: "standard" });
    await admin.setKeyTier({ id: agent.keyId, tier: "probation" });
    await agent.createPost({ title: "Three" });
    expect(await agent.readOwnKey()).toMatchObject({ tier: "probation", nextTier: null });
    await admin.setKeyTier({ id: agent.keyId, tier: "standard" });
    expect((await agent.readOwnKey()).nextTier).toMatchObject({ tier: "trusted" });
  });
});

describe("reports by one account", () => {
  test("are limited per day, not counting repeats", async () => {
    const env = { LIMIT_THROTTLES_REPORTS_PER_ACCOUNT_LIMIT: "2" };
    await using tandem = await startTandem("sqlite", { env });
    const [author, eager] = [await tandem.as.human(), await tandem.as.human()];
    const report = async () => {
      const { post } = await author.createPost({ title: "Reported" });
      return eager.call("createReport", { postId: post.id, reason });
    };
    const first = await report();
    const target = first.body.report as { target: { id: number } };
    const postId = target.target.id;
    expect((await eager.call("createReport", { postId, reason })).status).toBe(200);
    expect((await report()).status).toBe(200);
    const { status, body, headers } = await report();
    expect([status, body.code]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
