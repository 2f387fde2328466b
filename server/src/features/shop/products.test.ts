import type { Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

const url = "https://shop.example/teapot?ref=ada";

describe("products", () => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));

  beforeAll(async () => {
    tandem = await startTandem("sqlite", { now: clock.now });
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  beforeEach(() => tandem.storage.write((tx) => tx.deleteFrom("products").execute()));
  afterAll(() => tandem.stop());

  const mine = async () => (await ada.listProducts({ mine: 1 })).products;

  test("don't change a card in a community where its owner can't publish", async () => {
    const [cleo, owner] = [await tandem.as.human(), await tandem.as.human()];
    const name = "cards";
    await owner.createCommunity({ name, aiPolicy: "people_only" });
    await cleo.joinCommunity({ name });
    const { product } = await cleo.createProduct({ title: "Teapot", url });
    const { post } = await cleo.createPost({ title: "A teapot", community: name });
    await cleo.attachProduct({ id: post.id, productId: product.id });
    const key = await tandem.as.key(undefined, cleo);
    const edit = { id: product.id, title: "Teapot, by AI" };
    expect((await key.call("editProduct", edit)).body.code).toBe("ai_policy");
    expect((await key.call("editProduct", { id: product.id, category: "tea" })).body.code).toBe("ai_policy");
    expect((await cleo.editProduct({ id: product.id, title: "Old teapot" })).product.title).toBe(
      "Old teapot",
    );
    await owner.banFromCommunity({ name, username: cleo.user.username, reason: "Advertising" });
    expect((await cleo.call("editProduct", edit)).body.code).toBe("community_banned");
    expect((await cleo.editProduct({ id: product.id, category: "tea" })).product.category).toBe("tea");
    const shown = (await cleo.readPost({ id: post.id })).post;
    expect(shown).toMatchObject({ provenance: "human", products: [{ title: "Old teapot" }] });
  });

  test("shows a product's raw URL only to its owner, and a tracked URL to everyone else", async () => {
    const given = {
      title: "Teapot",
      url,
      imageUrl: "https://shop.example/t.png",
      price: "9.90 €",
      category: "tea",
    };
    await ada.editProfile({ displayName: "Ada Lovelace" });
    const { product } = await ada.createProduct(given);
    const { id } = product;
    expect(product).toEqual({
      ...given,
      id: expect.any(Number),
      seller: ada.user.username,
      sellerName: "Ada Lovelace",
      isAiGenerated: false,
      createdAt: "2026-01-31T12:00:00.000Z",
    });
    expect(await mine()).toEqual([product]);
    const shown = [{ ...product, url: `/out/${id}` }];
    for (const caller of [tandem.as.anonymous(), bob, ada])
      expect((await caller.listProducts()).products).toEqual(shown);
    expect((await bob.listProducts({ mine: 1 })).products).toEqual([]);
  });

  test.each(["9.90", 9.9, 0, -1, 1e21, 0.1, "", "  ", "0", 'a "price"', "free – 無料"])(
    "returns the price %j as given",
    async (price) => {
      const { product } = await ada.createProduct({ title: "Teapot", url, price });
      expect(product.price).toBe(price);
      expect((await mine())[0]?.price).toBe(price);
    },
  );

  test("filters by category, page by page, and with mine=1 by owner", async () => {
    const add = async (caller: Caller, title: string, category?: string) =>
      (await caller.createProduct({ title, url, ...(category !== undefined && { category }) })).product.id;
    const ids = [await add(ada, "Pot", "tea"), await add(bob, "Cup", "tea"), await add(ada, "Leaves", "tea")];
    await add(ada, "Beans", "coffee");
    await add(ada, "Whisk", "Tea");
    await add(ada, "Nothing much");
    const found = [];
    for await (const { id } of bob.pages.listProducts({ category: "tea", limit: 2 })) found.push(id);
    expect(found).toEqual(ids.toReversed());
    expect((await bob.listProducts({ category: "tea", mine: 1 })).products).toMatchObject([
      { id: ids[1], seller: bob.user.username },
    ]);
    expect((await bob.listProducts({ category: "te_" })).products).toEqual([]);
    const empty = await bob.call("listProducts", { category: "" });
    expect([empty.status, empty.body.field]).toEqual([400, "category"]);
  });

  test("omitted fields are null", async () => {
    const { product } = await ada.createProduct({ title: "Teapot", url });
    expect(product).toMatchObject({ imageUrl: null, price: null, category: null });
  });

  test("an edit changes only the given fields; null clears optional ones", async () => {
    const { product } = await ada.createProduct({
      title: "Teapot",
      url,
      price: 1,
      category: "tea",
      imageUrl: url,
    });
    const { id } = product;
    const edit = async (input: object) => (await ada.editProduct({ id, ...input })).product;
    expect(await edit({ price: "2" })).toEqual({ ...product, price: "2" });
    expect(await edit({ title: "Pot", url: "http://other.example/" })).toMatchObject({
      title: "Pot",
      price: "2",
    });
    const cleared = { price: null, category: null, imageUrl: null };
    expect(await edit(cleared)).toEqual({
      ...product,
      ...cleared,
      title: "Pot",
      url: "http://other.example/",
    });
    for (const field of ["title", "url"]) {
      expect(await ada.call("editProduct", { id, [field]: null })).toMatchObject({
        status: 400,
        body: { field },
      });
    }
  });

  test.each([
    ["title", { url }],
    ["title", { title: " ", url }],
    ["title", { title: "x".repeat(201), url }],
    ["url", { title: "Teapot" }],
    ["url", { title: "Teapot", url: "javascript:alert(1)" }],
    ["url", { title: "Teapot", url: `https://shop.example/${"x".repeat(2040)}` }],
    ["imageUrl", { title: "Teapot", url, imageUrl: "data:image/png;base64," }],
    ["price", { title: "Teapot", url, price: true }],
    ["price", { title: "Teapot", url, price: { amount: 1 } }],
    ["category", { title: "Teapot", url, category: "x".repeat(51) }],
    ["category", { title: "Teapot", url, category: 1 }],
  ])("rejects an invalid %s: %j", async (field, input) => {
    const { status, body } = await ada.call("createProduct", input);
    expect({ status, code: body.code, field: body.field }).toEqual({
      status: 400,
      code: "invalid_input",
      field,
    });
    expect(await mine()).toEqual([]);
  });

  test("returns 404 for someone else's product", async () => {
    const { product } = await ada.createProduct({ title: "Teapot", url });
    for (const id of [product.id, 999_999]) {
      for (const name of ["editProduct", "deleteProduct"] as const) {
        expect(await bob.call(name, { id })).toMatchObject({ status: 404, body: { code: "not_found" } });
      }
    }
    expect(await ada.deleteProduct({ id: product.id })).toEqual({ deleted: true });
    expect(await mine()).toEqual([]);
    expect((await ada.call("deleteProduct", { id: product.id })).status).toBe(404);
  });

  test("accepts the id of a deletion in the query", async () => {
    const { product } = await ada.createProduct({ title: "Teapot", url });
    const path = `/api/products?id=${product.id}`;
    const response = await sendRequest(tandem.baseUrl, {
      method: "DELETE",
      path,
      headers: { ...ada.options.headers },
    });
    expect(response).toMatchObject({ status: 200, body: { deleted: true } });
  });

  test("pages the shop, newest first", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 25; i++) ids.push((await ada.createProduct({ title: `Cup ${i}`, url })).product.id);
    await bob.createProduct({ title: "Bob's", url });
    const first = await ada.listProducts({ mine: 1 });
    const second = await ada.listProducts({ mine: 1, cursor: Number(first.nextCursor) });
    expect([first.products.length, second.products.length, second.nextCursor]).toEqual([20, 5, null]);
    expect([...first.products, ...second.products].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await ada.listProducts({ limit: 50 })).products).toHaveLength(26);
  });

  test("requires authentication for mine=1", async () => {
    await expect(tandem.as.anonymous().listProducts({ mine: 1 })).rejects.toMatchObject({ status: 401 });
  });
});
