import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { clickCounterOf } from "./click-counter.ts";

const url = "https://shop.example/teapot?ref=ada&x=%20";

describe.each(engines)("clicks on products on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 23, 59, 59));

  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
  });
  afterAll(() => tandem.stop());

  const shop = async () => {
    ada = await tandem.as.human();
    const { product } = await ada.createProduct({ title: "Teapot", url });
    const { post } = await ada.createPost({ title: "Tea", productIds: [product.id] });
    return { id: product.id, post: post.id };
  };
  const totals = async () => {
    await clickCounterOf(tandem.services).store();
    const { totals, topPosts } = await ada.analytics();
    return [totals.productClicks, totals.productClicks7d, topPosts[0]?.productClicks];
  };
  const open = (path: string, method = "GET") => sendRequest(tandem.baseUrl, { path, method });

  test("redirects to the product, and counts the click once, for the post it came from", async () => {
    const { id, post } = await shop();
    const { products } = (await ada.readPost({ id: post })).post;
    const tracked = String(products[0]?.url);
    const { status, headers } = await open(tracked);
    expect([status, headers.get("location")]).toEqual([302, url]);
    expect(await totals()).toEqual([1, 1, 1]);
    await Promise.all(Array.from({ length: 9 }, () => open(tracked)));
    expect(await totals()).toEqual([10, 10, 10]);
    await open(`/out/${id}`);
    expect(await totals()).toEqual([11, 11, 10]);
  });

  once("doesn't count HEAD requests", async () => {
    const { id, post } = await shop();
    const { status, headers } = await open(`/out/${id}?post=${post}`, "HEAD");
    expect([status, headers.get("location")]).toEqual([302, url]);
    expect(await totals()).toEqual([0, 0, 0]);
  });

  once("doesn't count a click for a post that doesn't show the product", async () => {
    const { id } = await shop();
    const other = (await ada.createPost({ title: "No tea" })).post.id;
    for (const post of [other, 999_999]) expect((await open(`/out/${id}?post=${post}`)).status).toBe(302);
    await clickCounterOf(tandem.services).store();
    const { totals, topPosts } = await ada.analytics();
    expect([totals.productClicks, ...topPosts.map((post) => post.productClicks)]).toEqual([2, 0, 0]);
  });

  test("counts the clicks of seven days, including today", async () => {
    const { id } = await shop();
    await open(`/out/${id}`);
    clock.pass(1000);
    await open(`/out/${id}`);
    expect(await totals()).toEqual([2, 2, 0]);
    clock.passDays(5);
    expect(await totals()).toEqual([2, 2, 0]);
    clock.passDays(1);
    expect(await totals()).toEqual([2, 1, 0]);
    clock.passDays(1);
    expect(await totals()).toEqual([2, 0, 0]);
  });

  test("stores many clicks together, and again later what could not be stored", async () => {
    const [one, other] = [await shop(), await shop()];
    const write = vi.spyOn(tandem.storage, "write").mockRejectedValue(new Error("The disk is full."));
    const paths = [`/out/${one.id}`, `/out/${other.id}?post=${other.post}`, `/out/${other.id}`];
    for (const path of paths) for (let i = 0; i < 20; i++) expect((await open(path)).status).toBe(302);
    await clickCounterOf(tandem.services).store();
    expect(write.mock.calls.length).toBeLessThan(30);
    write.mockRestore();
    expect(await totals()).toEqual([40, 40, 20]);
  });

  once("stores clicks when the service stops", async () => {
    const another = await startTandem(engine);
    const person = await another.as.human();
    const { product } = await person.createProduct({ title: "Teapot", url });
    const write = vi.spyOn(another.storage, "write");
    await person.openProduct({ id: product.id });
    await another.stop();
    expect(write).toHaveBeenCalled();
  });

  once("leads nowhere if the domain was blocked, or the seller or its operator is suspended", async () => {
    const { id } = await shop();
    const mallory = await tandem.as.human();
    const agent = await tandem.as.agent(mallory);
    const { product } = await agent.createProduct({ title: "Bait", url: "https://bait.example/x" });
    const { product: spam } = await ada.createProduct({ title: "Spam", url: "https://go.spam.example/x" });
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.denyLink({ host: "spam.example" });
    await admin.suspendAccount({ id: mallory.user.id, reason: "Advertising" });
    const found = { status: 404, body: { code: "not_found" } };
    expect(await open(`/out/${spam.id}`)).toMatchObject(found);
    expect(await open(`/out/${product.id}`)).toMatchObject(found);
    expect((await open(`/out/${id}`)).status).toBe(302);
    await admin.allowLink({ host: "spam.example" });
    expect((await open(`/out/${spam.id}`)).status).toBe(302);
  });

  test("keeps the owner's total clicks when the product is deleted, but not the recent ones", async () => {
    const { id, post } = await shop();
    await open(`/out/${id}?post=${post}`);
    await totals();
    await open(`/out/${id}`);
    await ada.deleteProduct({ id });
    expect(await totals()).toEqual([2, 0, 1]);
    expect(await open(`/out/${id}`)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test.each([
    ["id", "/out/x"],
    ["id", "/out/0"],
    ["post", "/out/1?post=x"],
    ["post", "/out/1?post=0"],
  ])("rejects an invalid %s: %s", async (field, path) => {
    expect(await open(path)).toMatchObject({ status: 400, body: { code: "invalid_input", field } });
  });

  test("returns 404 for an unknown product", async () => {
    expect(await open("/out/999999")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });
});
