import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("Markdown", () => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    [ada, bob] = [await tandem.as.human("ada_l"), await tandem.as.human("bob")];
  });
  afterAll(() => tandem.stop());

  test("is stored as it was typed, and its words are found", async () => {
    const body =
      "# Looms\n\n- **warped** _threads_\n- `shuttle` [carding](https://example.org/)\n\n> ~~weft~~";
    const { post } = await ada.createPost({ title: "On looms", body });
    expect(post.body).toBe(body);
    for (const q of ["Looms", "warped", "threads", "shuttle", "carding", "weft", "**warped**"])
      expect([q, (await bob.listPosts({ q })).posts.map(({ id }) => id)]).toEqual([q, [post.id]]);
  });

  test("mentions those whose names aren't in code, and notifications quote its words", async () => {
    const cy = await tandem.as.human("cy");
    await ada.createPost({ title: "To some", body: "**Hello** @bob, see `@cy`\n\n```\n@cy\n```" });
    const [{ type, excerpt } = {}] = (await bob.listNotifications()).notifications;
    expect([type, excerpt]).toEqual(["mention", "To some · Hello @bob, see @cy @cy"]);
    expect((await cy.listNotifications()).notifications).toEqual([]);
    const { post } = await ada.createPost({ title: "Mine" });
    await bob.createComment({ id: post.id, body: "> quoted\n\n*Well* [said](https://example.org/)" });
    expect((await ada.listNotifications()).notifications[0]?.excerpt).toBe("quoted Well said");
  });

  test("hides no link to a blocked domain, and no API key", async () => {
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.denyLink({ host: "spam.example" });
    for (const body of [
      "[x](https://spam\\.example/)",
      "[x](<https://spam.example/a b>)",
      "![x](https://spam\\.example/x.png)",
      "spam.**example**",
      "sp*am.exa*mple",
      "| a | b |\n|---|---|\n| [x](https://spam\\.example) | |",
    ]) {
      const response = await ada.call("createPost", { title: "Look", body });
      expect([body, response.status, response.body.code]).toEqual([body, 400, "denied_link"]);
    }
    const bio = await ada.call("editProfile", { bio: "~~~\n[x](https://spam\\.example/)" });
    expect(bio.body.code).toBe("denied_link");
    const { secret: key } = await ada.mintKey({ scopes: "posts:write" });
    const secret = key ?? "";
    const body = `${secret.slice(0, 20)}**${secret.slice(20, 30)}**${secret.slice(30)}`;
    expect((await bob.call("createPost", { title: "Look", body })).body.code).toBe("key_exposed");
    const escaped = secret.replaceAll("_", "\\_");
    expect((await bob.call("createComment", { id: 1, body: escaped })).body.code).toBe("key_exposed");
  });
});
