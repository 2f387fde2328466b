import { Post } from "@tandem/contract/post-resources";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem } from "@tandem/testing/tandem";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formats } from "../http/formats.ts";
import { fromFragment, type PostFacts, postDefaults, toFragment } from "./post-fragment.ts";

const valid = new Ajv({ strict: false, formats, allErrors: true }).compile(closed(Post) as object);

/** The schema, without additional properties. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(([name]) => name !== "$id");
  const copy = Object.fromEntries(entries.map(([name, value]) => [name, closed(value)]));
  return copy.type === "object" ? { ...copy, additionalProperties: false } : copy;
}

function expectPost(post: unknown): void {
  expect(valid(post), JSON.stringify([valid.errors, post], null, 1)).toBe(true);
}

describe.each(engines)("a post's stored fragment on %s", (engine) => {
  test("matches the contract's Post schema exactly after every change", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const key = await tandem.as.key(["posts:write", "products:write"], ada);
    const [teapot, cup] = await Promise.all([
      ada.createProduct({ title: 'A "teapot"', url: "https://shop.example/", price: 9.9 }),
      ada.createProduct({
        title: "Cup",
        url: "https://shop.example/",
        price: "9.90",
        imageUrl: "https://shop.example/i",
      }),
    ]);
    const { post } = await ada.createPost({ title: "A title", productIds: [teapot.product.id] });
    const { id } = post;
    const steps = [
      () => ada.attachProduct({ id, productId: cup.product.id }),
      () => key.editPost({ id, title: "Better", url: "https://example.org/" }),
      () => ada.editProduct({ id: cup.product.id, title: "Fine cup", price: null }),
      () => ada.likePost({ id }),
      () => ada.createComment({ id, body: "Well." }),
      () => ada.editPost({ id, url: null, body: "Text" }),
      () => ada.deleteProduct({ id: teapot.product.id }),
    ];
    for (const step of steps) {
      await step();
      const [alone, listed] = await Promise.all([ada.readPost({ id }), ada.listPosts()]);
      expectPost(alone.post);
      expect(listed.posts).toEqual([alone.post]);
    }
  });

  test("matches the contract's Post schema for imported posts of every kind", async () => {
    await using tandem = await startTandem(engine);
    const card = { title: "T", description: null, imageUrl: null, siteName: "S" };
    const ids = await tandem.storage.write(async (tx) => [
      await insertImportedPost(tx),
      await insertImportedPost(tx, {
        platform: "youtube",
        mediaType: "video",
        mediaUrl: "https://v.example/",
        durationSeconds: 1.5,
      }),
      await insertImportedPost(tx, {
        platform: "lemmy",
        community: "Teapots",
        card,
        width: 3,
        height: 4,
        alt: "A pot",
      }),
      await insertImportedPost(tx, {
        platform: "rss",
        body: "line\nbreak",
        sourceName: "A paper",
        score: -3,
      }),
    ]);
    const { posts } = await tandem.as.anonymous().listPosts();
    expect(posts.map((post) => post.id)).toEqual(ids.toReversed());
    for (const post of posts) expectPost(post);
  });

  test("parses back to the fields that it was created from, whatever text they contain", () => {
    const text = fc.string({ unit: "grapheme" });
    const facts = fc.record({ title: text, body: fc.option(text), author: text, alt: text });
    fc.assert(
      fc.property(facts, (some) => {
        const all: PostFacts = {
          ...postDefaults,
          ...some,
          provenance: "human",
          provenanceBasis: "declared",
          authorIsAgent: false,
          postedAt: new Date(0).toISOString(),
        };
        expect(fromFragment(toFragment(all))).toEqual(all);
        expect(toFragment({ ...all, extra: 1 } as PostFacts)).toBe(toFragment(all));
      }),
    );
  });
});
