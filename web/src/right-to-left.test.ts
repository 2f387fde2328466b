import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sectionNames } from "./areas/account/sections.ts";
import { sections } from "./areas/admin/sections.ts";
import { pages } from "./shared/paths.ts";

const words = {
  title: "אריגה של בד פשוט בבית",
  body: "החוט עובר מעל ומתחת, שורה אחרי שורה, עד שנגמר.",
  comment: "איזה יופי של נול יש לך שם!",
  message: "שלום, מה שלומך היום?",
};

const WIDTHS = [1440, 390];

describe("right-to-left layout", () => {
  let tandem: Tandem;
  let ada: Person;
  /** Paths to visit, by their route. */
  let values: Record<string, string[]>;
  let post: number;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    await makeAdmin(tandem.storage, ada);
    const { agent } = await tandem.as.agent(ada, "loom_bot");
    const bob = await tandem.as.human("bob");
    const { product } = await ada.createProduct({ title: "A fine loom", url: "https://example.org/loom" });
    const input = { title: words.title, body: words.body, productIds: [product.id] };
    post = (await ada.createPost(input)).post.id;
    const { comment } = await bob.createComment({ id: post, body: words.comment });
    await ada.createComment({ id: post, parentId: comment.id, body: "Thank you." });
    const { post: edited } = await ada.createPost({ title: words.message });
    await ada.editPost({ id: edited.id, body: words.message });
    const { comment: reply } = await bob.createComment({ id: edited.id, body: words.message });
    await bob.editComment({ id: reply.id, body: words.comment });
    await bob.sendMessage({ username: "ada_l", body: words.message });
    await bob.createReport({ postId: post, reason: "Advertising" });
    await bob.requestFriend({ username: "ada_l" });
    await bob.startLive({ title: "Open studio" });
    // Everyone has signed up. Now there is a section for invitations, too.
    Object.assign(tandem.services.config, { registration: "invitation" });
    values = {
      "/posts/$id": [`/posts/${post}`],
      "/posts/$id/versions": [`/posts/${edited.id}/versions`],
      "/comments/$id/versions": [`/comments/${reply.id}/versions`],
      "/posts/$id/edit": [`/posts/${post}/edit`],
      "/creators/$platform/$author": ["/creators/native/bob"],
      "/live/$username": ["/live/bob"],
      "/messages/$username": ["/messages/bob"],
      "/agents/$id": [`/agents/${agent.id}`],
      "/settings/$section": sectionNames.map((name) => `/settings/${name}`),
      "/admin/$section": sections.map((name) => `/admin/${name}`),
    };
  });
  afterAll(() => tandem.stop());

  /** Serves every document with dir="rtl"; everything else is unchanged, and cached. */
  const turn = async ({ page }: Visitor) => {
    const line = await page.context().newCDPSession(page);
    line.on("Fetch.requestPaused", async ({ requestId, responseStatusCode, responseHeaders = [] }) => {
      const { body } = await line.send("Fetch.getResponseBody", { requestId });
      const turned = Buffer.from(body, "base64").toString().replace('dir="ltr"', 'dir="rtl"');
      await line.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: responseStatusCode ?? 200,
        responseHeaders: responseHeaders.filter(({ name }) => !/^content-(length|encoding)$/i.test(name)),
        body: Buffer.from(turned).toString("base64"),
      });
    });
    await line.send("Fetch.enable", { patterns: [{ resourceType: "Document", requestStage: "Response" }] });
  };

  /** How far the page overflows its window, in pixels; icons that point the wrong way; and code that is right-to-left. */
  const faults = ({ page }: Visitor) =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const pointing = /lucide-(arrow-left|arrow-right|chevron-left|chevron-right|log-out|send-horizontal)\b/;
      const icons = [...document.querySelectorAll("svg")].filter((icon) =>
        pointing.test(icon.classList.value),
      );
      const turned = (icon: Element) => {
        const { rotate, scale } = getComputedStyle(icon);
        return rotate === "180deg" || scale.startsWith("-1");
      };
      return {
        dir: getComputedStyle(document.body).direction,
        overflow: Math.max(0, scrollWidth - clientWidth),
        icons: icons.length,
        turnedCode: [...document.querySelectorAll("pre, code")].filter(
          (code) => getComputedStyle(code).direction === "rtl",
        ).length,
        unturned: icons.filter((icon) => !turned(icon)).map((icon) => icon.classList.value),
      };
    });

  let icons = 0;
  const walk = async (paths: string[], as?: Person) => {
    await using visitor = await visit(tandem, as);
    await turn(visitor);
    for (const path of paths) {
      await visitor.open(path);
      for (const width of WIDTHS) {
        await visitor.page.setViewportSize({ width, height: 900 });
        const { icons: found, ...rest } = await faults(visitor);
        expect([path, width, rest]).toEqual([
          path,
          width,
          { dir: "rtl", overflow: 0, turnedCode: 0, unturned: [] },
        ]);
        icons += found;
      }
    }
    expect(visitor.browserErrors).toEqual([]);
  };

  // Split into parts, so that each has its own time limit.
  test.each([1, 2, 3, 4])(
    "fits every page at both widths, and mirrors directional icons (%i of 4)",
    async (part) => {
      const paths = pages.flatMap(({ path }) => values[path] ?? [path]);
      expect(paths.filter((path) => path.includes("$"))).toEqual([]);
      await walk(
        paths.filter((_, i) => i % 4 === part - 1),
        ada,
      );
    },
  );

  test("fits the pages for signed-out visitors too", async () => {
    await walk(["/", "/signup", "/login", "/account/forgot"]);
    // Counted over all tests here: without icons, nothing would have been checked.
    expect(icons).toBeGreaterThan(10);
  });

  test("starts right-to-left text on the right, both displayed and typed", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
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
      [`/posts/${post}`, [words.title, words.body, words.comment]],
      ["/messages/bob", [words.message]],
    ] as const) {
      await visitor.open(path);
      for (const text of texts) expect([path, text, await beginsRight(text)]).toEqual([path, text, true]);
    }
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
