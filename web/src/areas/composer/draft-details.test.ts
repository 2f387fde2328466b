import { approvableOperations } from "@tandem/contract/approval";
import { DAY } from "@tandem/contract/durations";
import type { OperationName } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("what waits for approval", () => {
  let tandem: Tandem;
  let ada: Person;
  let agent: AgentCaller;
  let pages: string[];
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
    agent = await tandem.as.agent(ada, "asking_bot");
    pages = ["/notifications", "/drafts", "/agents", `/agents/${agent.agent.id}`];
  });
  afterAll(() => tandem.stop());

  /** The requests on the page, as a person sees them, newest first. */
  const cardsOn = ({ page }: Visitor) =>
    page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: "Reject" }) });

  /** All at once, because each locator searches the whole page. */
  const textsOf = async (cards: Locator) =>
    (await cards.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

  test("is shown with every field that an operation takes, on each page where it can be approved", async () => {
    const picture = async () => new Blob([new Uint8Array(await drawPicture({ width: 90, height: 90 }))]);
    const community = communityName("weavers");
    await ada.createCommunity({ name: community });
    await agent.joinCommunity({ name: community });
    const { post: quoted } = await ada.createPost({ title: "What it quotes" });
    const { post } = await agent.createPost({ title: "Title before", body: "Body before" });
    const { post: pictured } = await agent.createPost({ title: "Pictured", image: await picture() });
    const { comment: parent } = await ada.createComment({ id: post.id, body: "What it replies to" });
    const { comment } = await agent.createComment({ id: post.id, body: "Comment before" });
    const { product } = await agent.createProduct({ title: "A fine loom", url: "https://example.org/loom" });
    const later = new Date(Date.now() + DAY).toISOString();
    const poll = { options: ["Twill", "Plain"], isMultiple: true, closesAt: later };
    await agent.follow({ platform: "native", author: "ada" });
    const bob = await tandem.as.human();
    const { post: asked } = await ada.createPost({ title: "Which?", poll });
    await ada.editKey({ id: agent.keyId, approval: true });

    /** Each with an input, and how its fields are shown. */
    const requests: [OperationName, call: Promise<unknown>, shown: Record<string, string>][] = [];
    const request = <N extends OperationName>(
      name: N,
      fields: Record<string, readonly [value: unknown, shown: string]>,
      other: object = {},
    ) => {
      const values = Object.entries(fields).map(([field, [value]]) => [field, value]);
      const shown = Object.entries(fields).map(([field, [, text]]) => [field, text]);
      const call = agent.call(name, { ...other, ...Object.fromEntries(values) });
      requests.push([name, call, Object.fromEntries(shown)]);
      return call;
    };
    await request("createPost", {
      title: ["Its title", "Its title"],
      body: ["Its body", "Its body"],
      url: ["https://example.org/its-page", "https://example.org/its-page"],
      contentWarning: ["Its warning", "Its warning"],
      sensitive: [true, "Sensitive media"],
      quoteId: [quoted.id, "What it quotes"],
      quotePolicy: ["nobody", "Who can quote it No one"],
      poll: [poll, "Twill Plain People can choose several options"],
      productIds: [[product.id], "Products A fine loom"],
      community: [community, `Community ${community}`],
    });
    const described = { title: "With pictures", image: await picture() };
    await request("createPost", { alt: ["One description", "Image description One description"] }, described);
    const two = { ...described, image: [await picture(), await picture()] };
    await request("createPost", { alts: [["One", "Another"], "Image description Another"] }, two);
    await request("createDraft", { publishAt: [later, "Scheduled for"] }, { title: "For later" });
    await request(
      "editPost",
      {
        title: ["Title after", "Before: Title before After: Title after"],
        body: ["Body after", "Before: Body before After: Body after"],
        url: ["https://example.org/after", "Link After: https://example.org/after"],
        contentWarning: ["Warning after", "Content warning After: Warning after"],
        sensitive: [true, "Sensitive media Before: No After: Yes"],
      },
      { id: post.id },
    );
    const altEdit = { alt: ["Alt after", "Image description After: Alt after"] } as const;
    await request("editPost", altEdit, { id: pictured.id });
    await request("editPost", { quotePolicy: ["nobody", "Who can quote it After: No one"] }, { id: post.id });
    await request(
      "createComment",
      { body: ["Its body", "Its body"], parentId: [parent.id, "Reply to ada @ada What it replies to"] },
      { id: post.id },
    );
    await request(
      "editComment",
      { body: ["Comment after", "Before: AI Comment before After: Comment after"] },
      { id: comment.id },
    );
    const author = (name: string) =>
      ({ platform: ["native", `@${name}`], author: [name, `@${name}`] }) as const;
    await request("follow", author(bob.user.username));
    await request("unfollow", author("ada"));
    await request("vote", { choices: [[1], "Plain"] }, { id: asked.id });
    const details = {
      imageUrl: ["https://example.org/loom.jpg", "https://example.org/loom.jpg"],
      price: ["5 cows", "5 cows"],
      category: ["Looms", "Looms"],
    } as const;
    const url = ["https://example.org/finer", "https://example.org/finer"] as const;
    await request("createProduct", { title: ["A comb", "A comb"], url, ...details });
    await request(
      "editProduct",
      { price: ["6 cows", "AI A fine loom Price After: 6 cows"] },
      { id: product.id },
    );
    const title = ["A finer loom", "Before: AI A fine loom After: A finer loom"] as const;
    await request("editProduct", { id: [product.id, "A fine loom"], title, url, ...details });
    await request("attachProduct", { productId: [product.id, "A fine loom"] }, { id: post.id });
    await request("deleteProduct", { id: [product.id, "A fine loom"] });
    await request("editProfile", {
      displayName: ["Its name", "Display name After: Its name"],
      bio: ["Its bio", "Bio After: Its bio"],
      links: [["https://example.org/me"], "Links After: https://example.org/me"],
    });

    for (const [, call] of requests) expect(await call).toMatchObject({ status: 202 });
    // Labels are shown for what the service declares, whatever a key declares.
    const unshown = new Set(["createPost provenance", "editPost alts"]);
    const covered = new Set(
      requests.flatMap(([name, , shown]) => Object.keys(shown).map((field) => `${name} ${field}`)),
    );
    const taken = approvableOperations.flatMap((name) =>
      routes[name].body.map((field) => `${name} ${field}`),
    );
    expect(taken.filter((field) => !covered.has(field) && !unshown.has(field))).toEqual([]);

    await using visitor = await visit(tandem, ada);
    const requested: string[] = [];
    visitor.page.on("request", (sent) => requested.push(new URL(sent.url()).pathname));
    for (const path of pages) {
      await visitor.open(path);
      const cards = cardsOn(visitor);
      const missing = async () => {
        const texts = await textsOf(cards);
        return requests
          .toReversed()
          .flatMap(([name, , shown], i) =>
            Object.values(shown).flatMap((text) =>
              texts[i]?.includes(text) ? [] : [[name, text, texts[i]]],
            ),
          );
      };
      await expect.poll(missing, { message: path }).toEqual([]);
      const onlyPolicy = cards.nth(requests.toReversed().findIndex(([, , shown]) => "quotePolicy" in shown));
      expect(await onlyPolicy.getByText("Body before").count()).toBe(0);
      expect(await visitor.axeViolations()).toEqual([]);
    }
    // Lists of drafts say it all: nothing is read for a single one.
    expect(requested).toContain("/api/drafts");
    expect(requested.filter((path) => /^\/api\/(products|(posts|comments)\/\d+)/.test(path))).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("can be read to the end of its title and text before approving", async () => {
    const title = `A title ${"that goes on and on ".repeat(9)}to here`;
    const body = `${"A line of a long text.\n".repeat(60)}The last line.`;
    await pendingDraft(agent.createPost({ title, body }));
    await using visitor = await visit(tandem, ada);
    for (const path of pages) {
      await visitor.open(path);
      const card = cardsOn(visitor).first();
      await card.getByText(title).first().waitFor();
      expect(await card.getByText("The last line.").count()).toBe(0);
      await card.getByRole("button", { name: "Show all" }).click();
      await card.getByText("The last line.").waitFor();
      await card.getByRole("button", { name: "Show less" }).click();
      await card.getByText("The last line.").waitFor({ state: "detached" });
    }
  });

  test("can only be rejected if what it is about is gone, or without its quote be approved", async () => {
    const bot = await tandem.as.agent(ada, "late_bot");
    const { post } = await ada.createPost({ title: "Goes away" });
    const { post: stays } = await ada.createPost({ title: "Stays" });
    const { comment: parent } = await ada.createComment({ id: stays.id, body: "Goes away, too" });
    const { comment } = await bot.createComment({ id: stays.id, body: "Its own" });
    const url = "https://example.org/loom";
    const { product } = await bot.createProduct({ title: "A loom", url });
    const { product: comb } = await bot.createProduct({ title: "A comb", url });
    await ada.editKey({ id: bot.keyId, approval: true });
    const waiting: [Promise<unknown>, gone: string][] = [];
    const wait = async (call: Promise<unknown>, gone: string) => {
      await pendingDraft(call);
      waiting.unshift([call, gone]);
    };
    await pendingDraft(bot.createPost({ title: "Buy", productIds: [product.id, comb.id] }));
    await wait(bot.likePost({ id: post.id }), "The post");
    await wait(bot.createComment({ id: post.id, body: "Well said." }), "The post");
    await wait(bot.createComment({ id: stays.id, parentId: parent.id, body: "Indeed." }), "The comment");
    await wait(bot.likeComment({ id: parent.id }), "The comment");
    await wait(bot.editComment({ id: comment.id, body: "Edited" }), "The comment");
    await wait(bot.createPost({ title: "See", quoteId: post.id }), "The quoted post");
    await wait(bot.createPost({ title: "Look", quoteId: post.id }), "The quoted post");
    await wait(bot.editProduct({ id: product.id, title: "A fine loom" }), "The product");
    await using visitor = await visit(tandem, ada);
    await visitor.open("/drafts");
    await cardsOn(visitor).first().getByRole("button", { name: "Approve" }).waitFor();
    await ada.deletePost({ id: post.id });
    await ada.deleteComment({ id: parent.id });
    await ada.editKey({ id: bot.keyId, approval: false });
    await bot.deleteComment({ id: comment.id });
    await bot.deleteProduct({ id: product.id });
    // The page still offers it, and says so once that fails.
    await cardsOn(visitor).first().getByRole("button", { name: "Approve" }).click();
    await cardsOn(visitor).first().getByText("You can only reject this request.").waitFor();
    for (const path of ["/drafts", "/notifications", `/agents/${bot.agent.id}`]) {
      await visitor.open(path);
      const isGone = (gone: string) =>
        gone === "The quoted post"
          ? "The quoted post can't be quoted now. Remove the quote to continue."
          : `${gone} is no longer available. You can only reject this request.`;
      await expect
        .poll(async () => (await textsOf(cardsOn(visitor))).slice(0, waiting.length), { message: path })
        .toEqual(waiting.map(([, gone]) => expect.stringContaining(isGone(gone))));
      const canBeApproved = (await textsOf(cardsOn(visitor))).map((text) => /\bApprove\b/.test(text));
      expect(canBeApproved.slice(0, waiting.length + 1)).toEqual([...waiting.map(() => false), true]);
      // A new post only loses the product.
      const buy = cardsOn(visitor).nth(waiting.length);
      expect(await buy.innerText()).toContain("A comb");
      expect(await buy.innerText()).not.toContain("A loom");
      expect(await visitor.axeViolations()).toEqual([]);
    }
    for (const { id } of (await ada.listDrafts()).drafts.slice(0, waiting.length))
      expect((await ada.call("approveDraft", { id })).status).toBeGreaterThanOrEqual(400);
    const { page } = visitor;
    await visitor.open("/notifications");
    await page.getByRole("button", { name: "Remove the quote: See" }).click();
    await page.getByRole("button", { name: "Approve “See”" }).click();
    await page.getByText("Approved.").waitFor();
    await visitor.open("/drafts");
    await page.getByRole("link", { name: "Edit Look" }).click();
    await page.getByText("Remove the quote to continue.").waitFor();
    await page.getByRole("button", { name: "Remove the quote" }).click();
    await page.getByText("Remove the quote to continue.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Approved.").waitFor();
    const { posts } = await ada.listPosts({ author: bot.agent.username });
    expect(posts.map(({ title, quote }) => [title, quote])).toEqual([
      ["Look", undefined],
      ["See", undefined],
    ]);
  });

  test("can be approved without its quote once that has failed", async () => {
    const bot = await tandem.as.agent(ada, "banned_bot");
    const owner = await tandem.as.human();
    const community = communityName("dyers");
    await owner.createCommunity({ name: community });
    const { post } = await owner.createPost({ title: "On dyes", community });
    await ada.editKey({ id: bot.keyId, approval: true });
    for (const title of ["First", "Second", "Third"])
      await pendingDraft(bot.createPost({ title, quoteId: post.id }));
    await owner.banFromCommunity({ name: community, username: ada.user.username, reason: "Spam" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const cardOf = (title: string) => cardsOn(visitor).filter({ hasText: title });
    const notice = "The quoted post can't be quoted now. Remove the quote to continue.";
    for (const [path, title] of [
      ["/drafts", "First"],
      ["/notifications", "Second"],
    ] as const) {
      await visitor.open(path);
      const card = cardOf(title);
      await card.getByText("On dyes").waitFor();
      await card.getByRole("button", { name: "Approve" }).click();
      await card.getByText(notice).waitFor();
      await card.getByRole("button", { name: "Remove the quote" }).click();
      await card.getByText(notice).waitFor({ state: "detached" });
      await card.getByRole("button", { name: "Approve" }).click();
      await page.getByText("Approved.").waitFor();
    }
    await visitor.open("/drafts");
    await page.getByRole("link", { name: "Edit Third" }).click();
    const [save, approve] = ["Save", "Approve"].map((name) =>
      page.getByRole("button", { name, exact: true }),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    const [left, right] = [await save?.boundingBox(), await approve?.boundingBox()];
    expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeGreaterThanOrEqual(8);
    await approve?.click();
    await page.getByText(notice).waitFor();
    await page.getByRole("button", { name: "Remove the quote" }).click();
    await approve?.click();
    await page.getByText("Approved.").waitFor();
    const { posts } = await ada.listPosts({ author: bot.agent.username });
    expect(posts.map(({ title, quote }) => [title, quote])).toEqual(
      ["Third", "Second", "First"].map((title) => [title, undefined]),
    );
  });

  test("is shown in the editor, too, with what can't be edited there", async () => {
    const bot = await tandem.as.agent(ada, "later_bot");
    const community = communityName("spinners");
    await ada.createCommunity({ name: community });
    await bot.joinCommunity({ name: community });
    const { product } = await bot.createProduct({ title: "A spindle", url: "https://example.org/spindle" });
    const { product: own } = await ada.createProduct({ title: "A wheel", url: "https://example.org/wheel" });
    await ada.editKey({ id: bot.keyId, approval: true });
    const publishAt = new Date(Date.now() + DAY).toISOString();
    const settings = { quotePolicy: "nobody", publishAt } as const;
    const input = { ...settings, title: "For later", productIds: [product.id], community };
    const id = await pendingDraft(bot.createDraft(input));
    const { draft } = await ada.createDraft({ ...settings, title: "My own", productIds: [own.id] });
    await using visitor = await visit(tandem, ada);
    const form = visitor.page.locator("form", { has: visitor.page.getByRole("button", { name: "Save" }) });
    const shown = async () =>
      (await form.getByRole("definition").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    await visitor.open(`/compose?draft=${id}`);
    await form.getByText("A spindle").waitFor();
    expect(await shown()).toEqual([community, "No one", expect.stringMatching(/\d/), "A spindle AI"]);
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open(`/compose?draft=${draft.id}`);
    await form.getByText("A wheel").waitFor();
    expect(await shown()).toEqual(["No one", expect.stringMatching(/\d/), "A wheel"]);
  });

  test("disappears if its quote is removed after it was decided elsewhere", async () => {
    const bot = await tandem.as.agent(ada, "twice_bot");
    const { post } = await ada.createPost({ title: "Goes" });
    await ada.editKey({ id: bot.keyId, approval: true });
    const draftId = await pendingDraft(bot.createPost({ title: "Decided", quoteId: post.id }));
    await ada.deletePost({ id: post.id });
    await using visitor = await visit(tandem, ada);
    await visitor.open("/drafts");
    const card = cardsOn(visitor).filter({ hasText: "Decided" });
    const remove = card.getByRole("button", { name: "Remove the quote" });
    await remove.waitFor();
    await ada.deleteDraft({ id: draftId });
    await remove.click();
    await card.waitFor({ state: "detached" });
  });
});
