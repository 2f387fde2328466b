import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { sitePageNames } from "@tandem/contract/site-pages";
import { makeAdminWithSource } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { insertImportedPost, insertVisits } from "@tandem/testing/imported-posts";
import { directionalIcons, faultsOf } from "@tandem/testing/looks";
import { connectedApp } from "@tandem/testing/oauth";
import { unusedWidth } from "@tandem/testing/page-width";
import { plantAuthorizationRequest } from "@tandem/testing/planted-authorization";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sectionNames } from "./areas/account/sections.ts";
import { sections } from "./areas/admin/sections.ts";
import { pages } from "./shared/paths.ts";

const desktop = { viewport: { width: 1440, height: 900 } };

const words = {
  title: "אריגה של בד פשוט בבית",
  body: "החוט עובר מעל ומתחת, שורה אחרי שורה, עד שנגמר.",
  comment: "איזה יופי של נול יש לך שם!",
  message: "שלום, מה שלומך היום?",
};

/** Pages that signed-in readers see as signed-out ones do, or that tell them the same as the page to log in: that they already are. */
const signedOutPages = ["/signup", "/account/forgot", "/account/reset", "/account/digest"];

/*
 * Every page is opened once and looked at in every way: light, dark, wide, narrow and right-to-left. On a wide window, none may be at
 * one side only. Tests of the areas do the same for what appears only after a click, such as dialogs.
 */
describe("every page", () => {
  let tandem: Tandem;
  /** Sees every page: has everything that pages list, and is an admin. */
  let ada: Caller;
  /** Paths to visit, by their route. Default: the route. */
  let paths: Record<string, string[]>;
  beforeAll(async () => {
    tandem = await startTandem();
    const person = await tandem.as.human("ada_l");
    ada = person;
    const sourceId = await makeAdminWithSource(tandem.storage, person);
    await tandem.storage.write((tx) => insertVisits(tx, sourceId));
    for (const name of sitePageNames)
      await person.saveSitePage({ name, body: "Write to us: https://example.org/" });
    const bob = await tandem.as.human("bob");
    const [own, other] = [await tandem.as.agent(person, "loom_bot"), await tandem.as.agent(bob, "mill_bot")];
    const offer = { title: "A fine loom", url: "https://example.org/loom", category: "Wool" };
    const { product } = await ada.createProduct(offer);
    await ada.createProduct({ ...offer, title: "Thread", category: "Silk" });

    const { title, body } = words;
    const { post } = await ada.createPost({ title, body, productIds: [product.id] });
    const { comment } = await bob.createComment({ id: post.id, body: words.comment });
    await ada.createComment({ id: post.id, parentId: comment.id, body: "Thank you." });
    const deleted = await bob.createComment({ id: post.id, body: "One" });
    await other.createComment({ id: post.id, body: "Two, @ada_l, #weave", parentId: deleted.comment.id });
    await bob.deleteComment({ id: deleted.comment.id });
    await bob.likePost({ id: post.id });
    await own.createPost({ title: "Woven by itself", url: "https://example.org/weave" });
    await tandem.storage.write((tx) => insertImportedPost(tx, { platform: "lemmy", title: "Unknown" }));
    const { post: edited } = await ada.createPost({ title: words.message });
    await ada.editPost({ id: edited.id, body: words.message });
    const { comment: reply } = await bob.createComment({ id: edited.id, body: words.message });
    await bob.editComment({ id: reply.id, body: words.comment });
    await ada.createDraft({ title: "Later", publishAt: "2099-01-01T10:00:00.000Z" });
    const { draft } = await ada.createDraft({ title: "Some day", quoteId: post.id });
    const poll = { options: [words.comment, words.body], closesAt: new Date(Date.now() + DAY).toISOString() };
    const { post: quoting } = await ada.createPost({ title, body: words.message, quoteId: post.id, poll });
    await ada.vote({ id: quoting.id, choices: [1] });

    await ada.sendMessage({ username: "bob", body: "Tea!" });
    await bob.sendMessage({ username: "ada_l", body: words.message });
    await ada.sendMessage({ username: "mill_bot", body: "Anything new?" });
    await bob.createReport({ postId: post.id, reason: "Advertising" });
    await bob.requestFriend({ username: "ada_l" });
    await ada.follow({ platform: "native", author: "mill_bot" });
    const { list } = await ada.createList({ name: words.title });
    for (const author of ["bob", "mill_bot"])
      await ada.addToList({ id: list.id, platform: "native", author });
    await ada.createList({ name: "Nobody yet" });
    const { collection } = await ada.createCollection({ name: words.title });
    await ada.addToCollection({ id: collection.id, postId: post.id });
    const tag = "a".repeat(limits.tag);
    for (const followed of [tag, "plain"]) await ada.followTag({ tag: followed });
    await ada.followCommunity({ platform: "lemmy", community: words.title });
    await bob.createPost({ title: "#plain and simple" });
    for (const q of ["loom", "#plain"]) await ada.createSavedSearch({ name: words.title, q });
    await ada.mute({ platform: "reddit", author: "mute_me" });
    await ada.mute({ tag: "#mute", until: "2099-01-01T10:00:00Z" });
    await ada.mute({ word: `${words.comment} ${words.title}` });
    const texts = { description: words.body, rules: words.body };
    const name = "weaving_with_a_name_as_long_as_possible_";
    await ada.createCommunity({ name, ...texts, aiPolicy: "marked" });
    const trader = await tandem.as.human("trader");
    for (const caller of [bob, trader]) await caller.joinCommunity({ name });
    const { post: pinned } = await bob.createPost({
      title: "On heddles",
      community: name,
      provenance: "ai_assisted",
    });
    await ada.pinCommunityPost({ name, id: pinned.id });
    await trader.createReport({ postId: pinned.id, reason: words.body, note: words.comment, illegal: true });
    const { post: sold } = await trader.createPost({
      title,
      body: words.message,
      community: name,
      provenance: "ai_assisted",
    });
    await ada.removeCommunityPost({ name, id: sold.id, reason: words.body });
    await ada.banFromCommunity({
      name,
      username: "trader",
      reason: words.comment,
      until: "2099-01-01T10:00:00Z",
    });
    await ada.block({ username: (await tandem.as.human("pest")).user.username });
    await bob.startLive({ title: "Open studio" });
    await connectedApp(tandem, person);
    const app = { name: "Loom reader", host: null, isVerified: false };
    const asked = [
      await plantAuthorizationRequest(tandem.storage),
      await plantAuthorizationRequest(tandem.storage, { app, receiver: "this_device", redirectHost: null }),
    ];
    const about = { username: "new_bot", displayName: words.title, bio: words.body };
    const { request } = await tandem.as.anonymous().requestAgent(about);
    paths = {
      "/connect": ["/connect?error=invalid_client"],
      "/connect/$request": asked.map((request) => `/connect/${request}`),
      "/": ["/", "/?followed=1", `/?saved=1&collectionId=${collection.id}`],
      "/search": ["/search", "/search?q=loom", `/search?q=%23${tag}`],
      "/posts/$id": [`/posts/${post.id}`, `/posts/${quoting.id}`],
      "/posts/$id/quotes": [`/posts/${post.id}/quotes`],
      // The draft quotes a post.
      "/compose": ["/compose", `/compose?draft=${draft.id}`],
      "/posts/$id/versions": [`/posts/${edited.id}/versions`],
      "/comments/$id/versions": [`/comments/${reply.id}/versions`],
      "/posts/$id/edit": [`/posts/${post.id}/edit`],
      "/communities": ["/communities", "/communities?view=mine", "/communities?q=none"],
      "/c/$name": [`/c/${name}`],
      "/c/$name/edit": [`/c/${name}/edit`],
      "/c/$name/moderation": ["reports", "decisions", "bans"].map(
        (view) => `/c/${name}/moderation?view=${view}`,
      ),
      "/c/$name/members": [`/c/${name}/members`],
      "/creators": ["/creators", "/creators?q=bot"],
      "/creators/$platform/$author": ["ada_l", "mill_bot"].map((name) => `/creators/native/${name}`),
      "/lists/$id": [`/lists/${list.id}`],
      "/live/$username": ["/live/bob", "/live/ada_l"],
      "/messages/$username": ["/messages/bob", "/messages/mill_bot"],
      "/agents/$id": [`/agents/${own.agent.id}`],
      "/claim/$code": [`/claim/${request.code}`, "/claim/BBBB-BBBB"],
      "/settings/$section": sectionNames.map((name) => `/settings/${name}`),
      "/admin/sources/$id": [`/admin/sources/${sourceId}`],
      "/admin/$section": sections.map((name) => `/admin/${name}`),
    };
    // Everyone has signed up. Only now is there a settings section for invitations.
    Object.assign(tandem.services.config, { registration: "invitation" });
  });
  afterAll(() => tandem.stop());

  let icons = 0;
  const walk = async (these: readonly string[], as?: Caller) => {
    await using visitor = await visit(tandem, as, desktop);
    for (const path of these) {
      await visitor.open(path);
      expect([path, await unusedWidth(visitor.page)]).toEqual([path, []]);
      expect([path, await faultsOf(visitor)]).toEqual([path, []]);
      icons += await visitor.page.evaluate(
        (some) => document.querySelectorAll(some).length,
        directionalIcons,
      );
    }
    expect(visitor.browserErrors).toEqual([]);
  };

  /** Each part has its own time limit. */
  const PARTS = Array.from({ length: 12 }, (_, i) => i + 1);
  test.each(PARTS)("is accessible and fits both widths and both directions (part %i)", async (part) => {
    const elsewhere = ["/offline", ...signedOutPages];
    const all = pages
      .flatMap(({ path }) => paths[path] ?? [path])
      .filter((path) => !elsewhere.includes(path));
    expect(all.filter((path) => path.includes("$"))).toEqual([]);
    const these = all.filter((_, i) => i % PARTS.length === part - 1);
    await walk(these, ada);
  });

  test("is so without a network", async () => {
    await using visitor = await visit(tandem, ada, desktop);
    const { page } = visitor;
    await visitor.open("/offline");
    // Otherwise it leaves as soon as it has reached the server.
    await page.context().setOffline(true);
    expect([await unusedWidth(page), await faultsOf(visitor)]).toEqual([[], []]);
    await page.goto("about:blank");
    await page.context().setOffline(false);
  });

  test("is so for signed-out visitors too", async () => {
    Object.assign(tandem.services.config, { registration: "open" });
    await walk(["/", "/login", "/account/confirm", ...signedOutPages]);
    // Counted over all tests here: without icons, nothing would have been checked.
    expect(icons).toBeGreaterThan(10);
  });

  test("is so if it is missing or needs an account", async () => {
    await using visitor = await visit(tandem, undefined, desktop);
    for (const [path, status] of [
      ["/nowhere", 404],
      ["/settings", 401],
    ] as const) {
      await visitor.open(path);
      expect([path, await unusedWidth(visitor.page)]).toEqual([path, []]);
      expect([path, await faultsOf(visitor)]).toEqual([path, []]);
      expect(visitor.browserErrors.splice(0)).toEqual([expect.stringContaining(String(status))]);
    }
  });

  test("starts right-to-left text on the right, both displayed and typed", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const [post = ""] = paths["/posts/$id"] ?? [];
    /** Whether a text starts at the right edge of its block. */
    const beginsRight = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((element) => {
          let block: Element | null = element;
          while (block && !/block|flow-root/.test(getComputedStyle(block).display))
            block = block.parentElement;
          const range = document.createRange();
          range.selectNodeContents(element);
          const [line, room] = [range.getBoundingClientRect(), (block ?? element).getBoundingClientRect()];
          return room.width - line.width < 4 || Math.abs(room.right - line.right) < 20;
        });
    for (const [path, texts] of [
      ["/", [words.title, words.body]],
      [post, [words.title, words.body, words.comment]],
      ["/messages/bob", [words.message]],
    ] as const) {
      await visitor.open(path);
      for (const text of texts) expect([path, text, await beginsRight(text)]).toEqual([path, text, true]);
    }
    await visitor.open("/creators");
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    // Latin letters too, where they are one line next to a picture.
    expect(await beginsRight("@loom_bot")).toBe(true);
    for (const [path, label] of [
      ["/compose", "Title"],
      ["/messages/bob", "Message to bob"],
      ["/search", "Search posts and creators"],
    ] as const) {
      await visitor.open(path);
      const field = page.getByLabel(label, { exact: true }).first();
      await field.fill(words.title);
      const bidi = await field.evaluate((element) => getComputedStyle(element).unicodeBidi);
      expect([path, bidi]).toEqual([path, "plaintext"]);
    }
  });
});
