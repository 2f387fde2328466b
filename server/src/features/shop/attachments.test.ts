import { limits } from "@tandem/contract/limits";
import type { Product } from "@tandem/contract/resources";
import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const url = "https://shop.example/?ref=secret";

describe.each(engines)("products beneath posts on %s", (engine) => {
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
  const card = ({ id, title }: Product, post: number) => ({
    id,
    title,
    imageUrl: "https://shop.example/i",
    price: 9.9,
    url: `/out/${id}?post=${post}`,
  });

  test("a post shows its products as cards, in the order given, never with the raw address", async () => {
    const post = await newPost([cup.id, teapot.id, cup.id]);
    expect(post.products).toEqual([card(cup, post.id), card(teapot, post.id)]);
    const [listed] = (await bob.listPosts({ limit: 1 })).posts;
    expect(listed).toEqual(post);
    expect(JSON.stringify(listed)).not.toContain("secret");
  });

  test("attaching adds at the end; attaching twice changes nothing", async () => {
    const { id } = await newPost([teapot.id]);
    const attach = async () => (await ada.attachProduct({ id, productId: cup.id })).post.products;
    const both = [card(teapot, id), card(cup, id)];
    expect(await attach()).toEqual(both);
    expect(await attach()).toEqual(both);
    await ada.attachProduct({ id, productId: teapot.id });
    expect((await bob.readPost({ id })).post.products).toEqual(both);
  });

  test("only one's own products, to one's own posts", async () => {
    const { id } = await newPost();
    const theirs = (await bob.createPost({ title: "Bob's" })).post.id;
    const missing = { status: 404, code: "not_found" };
    for (const productId of [bobs.id, 999_999]) {
      await expect(ada.attachProduct({ id, productId })).rejects.toMatchObject(missing);
      await expect(newPost([teapot.id, productId])).rejects.toMatchObject(missing);
    }
    await expect(ada.attachProduct({ id: 999_999, productId: cup.id })).rejects.toMatchObject(missing);
    await expect(ada.attachProduct({ id: theirs, productId: cup.id })).rejects.toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect((await ada.readPost({ id })).post.products).toEqual([]);
    expect((await ada.listPosts({ limit: 1 })).posts[0]?.title).toBe("Bob's");
  });

  test("an operator's products are not its agent's", async () => {
    const agent = await tandem.as.agent(ada);
    await expect(agent.createPost({ title: "Tea", productIds: [teapot.id] })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("cards follow their product, and leave with it", async () => {
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

  test("an edited post keeps its cards", async () => {
    const post = await newPost([teapot.id]);
    const edited = (await ada.editPost({ id: post.id, title: "More tea", url: "https://example.org/" })).post;
    expect(edited.products).toEqual(post.products);
  });

  test("a post shows some products, and no more", async () => {
    const many = await Promise.all(
      Array.from(
        { length: limits.productsPerPost },
        async () => (await ada.createProduct({ title: "Many", url })).product.id,
      ),
    );
    const full = await newPost(many);
    expect(full.products.map((one) => one.id)).toEqual(many);
    const refused = { status: 400, code: "invalid_input" };
    await expect(ada.attachProduct({ id: full.id, productId: cup.id })).rejects.toMatchObject({
      ...refused,
      field: "productId",
    });
    await expect(newPost([...many, cup.id])).rejects.toMatchObject({ ...refused, field: "productIds" });
  });

  test("attaching needs the scope for products", async () => {
    const { id } = await newPost();
    const [poster, seller] = [
      await tandem.as.key(["posts:write"], ada),
      await tandem.as.key(["products:write"], ada),
    ];
    await expect(poster.attachProduct({ id, productId: cup.id })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    const { post } = await seller.attachProduct({ id, productId: cup.id });
    // Attaching writes no words: the post stays a person's.
    expect(post).toMatchObject({ products: [card(cup, id)], provenance: "human" });
  });
});
