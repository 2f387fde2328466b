import { communityName } from "@tandem/testing/communities";
import { insertPosts } from "@tandem/testing/imported-posts";
import { startTandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

test("a card names the author and the age on one line, and on phones the mark and the source on another", async () => {
  await using tandem = await startTandem();
  const community = "slow-weaving.example.org";
  await tandem.storage.write((tx) =>
    insertPosts(tx, [
      { platform: "lemmy", author: "hazelmarten@lemmy.example.org", title: "With both", community },
      { platform: "reddit", author: "ember_beetle", title: "By a person", community, provenance: "human" },
      { platform: "mastodon", author: "cedarowl@social.example.org", title: "Without a community" },
    ]),
  );
  const person = await tandem.as.human();
  await person.editProfile({ displayName: "Augusta Ada King-Noel" });
  const name = communityName();
  await person.createCommunity({ name });
  await person.createPost({ title: "Written here", community: name, provenance: "ai_assisted" });
  await using visitor = await visit(tandem, undefined, phone);
  const { page } = visitor;
  const card = (title: string) =>
    page.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  await visitor.open("/");
  for (const title of ["With both", "By a person", "Without a community", "Written here"]) {
    const author = card(title).locator("a[href^='/creators/']").first();
    const mark = card(title).locator("[title]", { hasText: /Unknown|Person|Assisted/ });
    const age = card(title).locator("time");
    const distances = async () => {
      const boxes = [await author.boundingBox(), await age.boundingBox(), await mark.boundingBox()];
      const [first = 0, ...others] = boxes.map((box) => (box ? box.y + box.height / 2 : Number.NaN));
      return others.map((other) => (Math.abs(other - first) < 6 ? "same line" : "another line"));
    };
    await page.setViewportSize(phone.viewport);
    expect([title, ...(await distances())]).toEqual([title, "same line", "another line"]);
    await page.setViewportSize({ width: 834, height: 900 });
    expect([title, ...(await distances())]).toEqual([title, "same line", "same line"]);
  }
  await page.setViewportSize(phone.viewport);
  await card("With both").getByRole("link", { name: community }).waitFor();
  await card("Without a community").getByText("Mastodon").waitFor();
  await card("Written here").getByText("Augusta Ada King-Noel").waitFor();
  expect(await visitor.axeViolations()).toEqual([]);
});

test("short names are whole", async () => {
  await using tandem = await startTandem();
  const posts: Record<string, number> = {};
  for (const [username, displayName] of [
    ["nora", "nora"],
    ["lil", "Al"],
    ["lilill", "Nora Weiß"],
    ["lillillillill", "Wilhelmina"],
  ] as const) {
    const person = await tandem.as.human(username);
    if (displayName !== username) await person.editProfile({ displayName });
    posts[displayName] = (await person.createPost({ title: `By ${displayName}` })).post.id;
  }
  await using visitor = await visit(tandem, undefined, phone);
  const { page } = visitor;
  for (const [name, id] of Object.entries(posts)) {
    await visitor.open(`/posts/${id}`);
    const author = page.getByRole("main").getByText(name, { exact: true }).first();
    for (const width of [390, 834, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await author.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect([name, width, cut]).toEqual([name, width, 0]);
    }
  }
});

test("on phones, a community leaves space for the handle; a link to the page it is on isn't current", async () => {
  await using tandem = await startTandem();
  const person = await tandem.as.human("misty_lark");
  await person.editProfile({ displayName: "Misty Lark" });
  const name = "weaving_with_a_name_as_long_as_possible_";
  await person.createCommunity({ name });
  await person.createPost({ title: "Written here", community: name });
  await using visitor = await visit(tandem, undefined, phone);
  const { page } = visitor;
  await visitor.open(`/c/${name}`);
  const card = page.getByRole("article");
  const [displayName, handle] = [
    card.getByText("Misty Lark"),
    card.getByText("@misty_lark", { exact: true }),
  ];
  const tops = await Promise.all([displayName, handle].map(async (text) => (await text.boundingBox())?.y));
  expect(tops[0]).toBe(tops[1]);
  await card.getByRole("link", { name }).waitFor();
  expect(await card.locator("[aria-current]").count()).toBe(0);
});

test("a handle is cut before the name next to it, also beside a community and an edit, and neither is left out", async () => {
  await using tandem = await startTandem();
  const person = await tandem.as.human("railways-falcon-of-the-north");
  await person.editProfile({ displayName: "Railways Falcon" });
  const name = communityName();
  await person.createCommunity({ name });
  const { post } = await person.createPost({ title: "Written here", community: name });
  await person.editPost({ id: post.id, body: "And edited." });
  await using visitor = await visit(tandem, undefined, phone);
  await visitor.open("/");
  /** How many pixels of a text are cut. Already less than one makes the browser replace letters by an ellipsis. */
  const missing = (text: string) =>
    visitor.page.getByText(text, { exact: true }).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width - element.getBoundingClientRect().width;
    });
  expect(await missing("@railways-falcon-of-the-north")).toBeGreaterThan(10);
  expect(await missing("Railways Falcon")).toBe(0);
  // So it is in deep threads.
  let { comment } = await person.createComment({ id: post.id, body: "One" });
  for (const body of ["Two", "Three", "Four"])
    ({ comment } = await person.createComment({ id: post.id, body, parentId: comment.id }));
  await visitor.open(`/posts/${post.id}`);
  const widths = await visitor.page
    .locator("[id^=by-] a > span > span")
    .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().width));
  expect(widths).toHaveLength(8);
  for (const width of widths) expect(width).toBeGreaterThan(40);
});
