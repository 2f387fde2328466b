import { limits } from "@tandem/contract/limits";
import type { Product } from "@tandem/contract/post-resources";
import type { Caller, Person } from "@tandem/testing/callers";
import { insertLocalPost } from "@tandem/testing/imported-posts";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromFragment } from "../../storage/post-fragment.ts";

const url = "https://shop.example/?ref=secret";

describe.each(engines)("products attached to posts on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let teapot: Product;
  let cup: Product;
  let bobs: Product;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const add = async (caller: Person, title: string) =>
      (await caller.createProduct({ title, url, price: 9.9, imageUrl: "https://shop.example/i" })).product;
    [teapot, cup, bobs] = await Promise.all([add(ada, "Teapot"), add(ada, "Cup"), add(bob, "Bob's")]);
  });
  afterAll(() => tandem.stop());

  const newPost = async (productIds: number[] = []) =>
    (await ada.createPost({ title: "Tea", productIds })).post;
  const card = ({ id, title, isAiGenerated }: Product, post: number) => ({
    id,
    isAiGenerated,
    title,
    imageUrl: "https://shop.example/i",
    price: 9.9,
    url: `/out/${id}?post=${post}`,
  });

  test("shows a post's products as cards in the given order, never with the raw URL", async () => {
    const post = await newPost([cup.id, teapot.id, cup.id]);
    expect(post.products).toEqual([card(cup, post.id), card(teapot, post.id)]);
    const [listed] = (await bob.listPosts({ limit: 1 })).posts;
    expect(listed).toEqual(post);
    expect(JSON.stringify(listed)).not.toContain("secret");
  });

  test("appends an attached product; attaching it again changes nothing", async () => {
    const { id } = await newPost([teapot.id]);
    const attach = async () => (await ada.attachProduct({ id, productId: cup.id })).post.products;
    const both = [card(teapot, id), card(cup, id)];
    expect(await attach()).toEqual(both);
    expect(await attach()).toEqual(both);
    await ada.attachProduct({ id, productId: teapot.id });
    expect((await bob.readPost({ id })).post.products).toEqual(both);
  });

  once("attaches only the caller's products, and only to the caller's posts", async () => {
    const { id } = await newPost();
    const bobsPost = (await bob.createPost({ title: "Bob's" })).post.id;
    const missing = { status: 404, code: "not_found" };
    for (const productId of [bobs.id, 999_999]) {
      await expect(ada.attachProduct({ id, productId })).rejects.toMatchObject(missing);
      await expect(newPost([teapot.id, productId])).rejects.toMatchObject(missing);
    }
    for (const [id, productId] of [
      [999_999, cup.id],
      [bobsPost, bobs.id],
      [bobsPost, 999_999],
    ] as const) {
      await expect(ada.attachProduct({ id, productId })).rejects.toMatchObject(missing);
    }
    await expect(ada.attachProduct({ id: bobsPost, productId: cup.id })).rejects.toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect((await ada.readPost({ id })).post.products).toEqual([]);
    expect((await ada.listPosts({ limit: 1 })).posts[0]?.title).toBe("Bob's");
  });

  once("an agent can't attach its operator's products", async () => {
    const agent = await tandem.as.agent(ada);
    await expect(agent.createPost({ title: "Tea", productIds: [teapot.id] })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("updates cards when their product changes, and removes them with it", async () => {
    const { product } = await ada.createProduct({ title: "Spoon", url });
    const posts = await Promise.all([newPost([teapot.id, product.id]), newPost([product.id, cup.id])]);
    await ada.editProduct({ id: product.id, title: "Silver spoon", price: "12" });
    const shown = () =>
      Promise.all(
        posts.map(async ({ id }) =>
          (await bob.readPost({ id })).post.products.map(({ title, price }) => [title, price]),
        ),
      );
    expect(await shown()).toEqual([
      [
        ["Teapot", 9.9],
        ["Silver spoon", "12"],
      ],
      [
        ["Silver spoon", "12"],
        ["Cup", 9.9],
      ],
    ]);
    await ada.deleteProduct({ id: product.id });
    expect(await shown()).toEqual([[["Teapot", 9.9]], [["Cup", 9.9]]]);
  });

  once("makes a version of each post that showed a deleted product, and marks nothing", async () => {
    const key = await tandem.as.key(["posts:write", "products:write"], ada);
    const { product: byHand } = await ada.createProduct({ title: "By hand", url });
    const { product: byKey } = await ada.createProduct({ title: "Deleted by key", url });
    const { id } = await newPost([byHand.id, byKey.id]);
    await ada.deleteProduct({ id: byHand.id });
    await key.deleteProduct({ id: byKey.id });
    const { versions } = await tandem.as.anonymous().listPostVersions({ id });
    const human = { provenance: "human", provenanceBasis: "declared" };
    expect(versions).toMatchObject([
      { ...human, madeBy: "ai", productIds: [] },
      { ...human, madeBy: "person", productIds: [byKey.id] },
      { ...human, madeBy: "person", productIds: [byHand.id, byKey.id] },
    ]);
    const { post } = await ada.readPost({ id });
    expect(post).toMatchObject({ provenance: "human", editedAt: expect.any(String) });
  });

  once("keeps a post's cards when the post is edited", async () => {
    const post = await newPost([teapot.id]);
    const edited = (await ada.editPost({ id: post.id, title: "More tea", url: "https://example.org/" })).post;
    expect(edited.products).toEqual(post.products);
  });

  once("limits the products of a post", async () => {
    const many = await Promise.all(
      Array.from(
        { length: limits.productsPerPost },
        async () => (await ada.createProduct({ title: "Many", url })).product.id,
      ),
    );
    const full = await newPost(many);
    expect(full.products.map(({ id }) => id)).toEqual(many);
    const refused = { status: 400, code: "invalid_input" };
    await expect(ada.attachProduct({ id: full.id, productId: cup.id })).rejects.toMatchObject({
      ...refused,
      field: "productId",
    });
    await expect(newPost([...many, cup.id])).rejects.toMatchObject({ ...refused, field: "productIds" });
  });

  once("requires the scope products:write to attach", async () => {
    const { id } = await newPost();
    const [poster, seller] = [
      await tandem.as.key(["posts:write"], ada),
      await tandem.as.key(["products:write"], ada),
    ];
    await expect(poster.attachProduct({ id, productId: cup.id })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    const { post } = await seller.attachProduct({ id, productId: cup.id });
    expect(post.products).toEqual([card(cup, id)]);
  });

  if (runsOnceTests(engine))
    test.each([
      ["createPost", "for a key", false],
      ["createDraft", "for a key", false],
      ["createPost", "for a key that needs approval", true],
      ["createDraft", "for a key that needs approval", true],
    ] as const)("requires it in %s as well, %s", async (name, _, approval) => {
      const key = await tandem.as.key(["posts:write"], ada);
      if (approval) await ada.editKey({ id: key.keyId, approval });
      const both = await tandem.as.key(["posts:write", "products:write"], ada);
      const sent = { title: "Tea", productIds: [cup.id] };
      const refused = { code: "insufficient_scope", field: "productIds" };
      const { status, body, headers } = await key.call(name, sent);
      expect([status, body]).toEqual([403, expect.objectContaining(refused)]);
      expect(body.error).toBe("productIds needs a key with the scope products:write.");
      expect(body.hint).toMatch(/^Needed: products:write; this key has posts:write\./);
      expect(headers.get("www-authenticate")).toContain('scope="read posts:write products:write"');
      expect((await key.call(name, sent, { dryRun: true })).body).toMatchObject(refused);
      expect((await key.call(name, { ...sent, productIds: "x" } as never)).body).toMatchObject(refused);
      for (const productIds of [[], null])
        expect((await key.call(name, { ...sent, productIds })).status).toBe(
          approval && name === "createPost" ? 202 : 200,
        );
      expect((await both.call(name, sent)).status).toBe(200);
    });

  test("a key can edit a draft with products that a person attached, and the person can edit it then", async () => {
    const key = await tandem.as.key(["posts:write"], ada);
    const { draft } = await ada.createDraft({ title: "Tea", productIds: [cup.id] });
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    await key.editDraft({ id: draft.id, title: "More tea", publishAt });
    const { draft: edited } = await ada.editDraft({ id: draft.id, title: "Still more tea" });
    expect(edited).toMatchObject({ title: "Still more tea", productIds: [cup.id] });
  });

  if (runsOnceTests(engine))
    test("attaching counts as an edit: by a key it makes the post AI content, unless nothing changes", async () => {
      const seller = await tandem.as.key(["products:write"], ada);
      const first = await newPost([cup.id]);
      expect(first).toMatchObject({ provenance: "human", editedAt: null });
      const attach = async (caller: Caller, productId: number) =>
        (await caller.attachProduct({ id: first.id, productId })).post;
      expect(await attach(seller, cup.id)).toEqual(first);
      const byHand = await attach(ada, teapot.id);
      expect(byHand).toMatchObject({ provenance: "human", editedAt: expect.any(String) });
      const { product } = await ada.createProduct({ title: "Saucer", url });
      const byKey = await attach(seller, product.id);
      expect(byKey).toMatchObject({ provenance: "ai_generated", editedAt: expect.any(String) });
      expect(await attach(ada, product.id)).toEqual(byKey);
      const stamped = (await bob.listPosts({ provenance: "ai_generated" })).posts.map((post) => post.id);
      expect(stamped).toContain(first.id);
    });

  once("a key that changes a card's text makes the posts that show it AI content", async () => {
    const seller = await tandem.as.key(["products:write"], ada);
    const { product } = await ada.createProduct({ title: "Spoon", url });
    const { id } = await newPost([product.id]);
    const shown = async () => (await bob.readPost({ id })).post;
    await ada.editProduct({ id: product.id, title: "Big spoon" });
    expect(await shown()).toMatchObject({ provenance: "human", editedAt: null });
    // Cards show neither the URL nor the category.
    await seller.editProduct({ id: product.id, title: "Big spoon", category: "Cutlery", url: `${url}&x` });
    const products = [{ isAiGenerated: true }];
    expect(await shown()).toMatchObject({ provenance: "human", editedAt: null, products });
    await seller.editProduct({ id: product.id, title: "The best spoon" });
    expect(await shown()).toMatchObject({
      provenance: "ai_generated",
      editedAt: expect.any(String),
      products: [{ title: "The best spoon" }],
    });
  });

  test("limits the posts that show a product, and updates all of them", async () => {
    const { product } = await ada.createProduct({ title: "Kettle", url });
    const posts = await tandem.storage.write(async (tx) => {
      const ids: number[] = [];
      for (let i = 0; i < limits.postsPerProduct; i++)
        ids.push(await insertLocalPost(tx, ada.user, { title: "Hot" }));
      const rows = ids.map((post_id) => ({ post_id, product_id: product.id, position: 0 }));
      await tx.insertInto("post_products").values(rows).execute();
      return ids;
    });
    const refused = { status: 400, code: "invalid_input" };
    const { id } = await newPost();
    const attaching = ada.attachProduct({ id, productId: product.id });
    await expect(attaching).rejects.toMatchObject({ ...refused, field: "productId" });
    await expect(newPost([product.id])).rejects.toMatchObject({ ...refused, field: "productIds" });
    const again = await ada.attachProduct({ id: Number(posts[0]), productId: product.id });
    expect(again.post.id).toBe(posts[0]);
    const titles = async () => {
      const all = await tandem.storage.read
        .selectFrom("posts")
        .select("fragment")
        .where("id", "in", posts)
        .execute();
      return new Set(
        all.map((post) =>
          fromFragment(post.fragment)
            .products.map(({ title }) => title)
            .join(),
        ),
      );
    };
    await ada.editProduct({ id: product.id, title: "Red kettle" });
    await tandem.services.afterResponse.idle();
    expect(await titles()).toEqual(new Set(["Red kettle"]));
    await ada.deleteProduct({ id: product.id });
    expect(await titles()).toEqual(new Set([""]));
  });

  once("accepts null productIds as none", async () => {
    const { post } = await ada.createPost({ title: "No tea", productIds: null });
    expect(post.products).toEqual([]);
  });
});
