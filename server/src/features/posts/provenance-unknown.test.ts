import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test("no document claims that a person wrote an imported post of unknown provenance", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human("ada_l");
  await ada.createPost({ title: "By hand" });
  const id = await tandem.storage.write((tx) =>
    insertImportedPost(tx, { platform: "lemmy", author: "mary", title: "From elsewhere" }),
  );
  const text = async (path: string, accept = "*/*") =>
    (await fetch(tandem.baseUrl + path, { headers: { accept } })).text();
  const html = await text(`/posts/${id}`, "text/html");
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(json).author).toEqual({ name: "mary", url: `${tandem.baseUrl}/creators/lemmy/mary` });
  expect(html).toContain("Origin unknown");
  expect(await text(`/posts/${id}.md`)).toContain("Unknown whether AI was involved, by `mary`");
  const { items } = JSON.parse(await text("/feed.json?platform=lemmy"));
  expect(items[0]).toMatchObject({ _tandem: { provenance: null, provenance_basis: "assumed" } });
  expect(items[0].tags).toEqual([]);
  for (const format of ["rss", "atom"])
    expect(await text(`/feed.${format}?platform=lemmy`)).not.toContain("human");

  for (const provenance of ["human", "human,ai_assisted"])
    for (const path of ["/search", "/"]) {
      const people = await text(`${path}?provenance=${provenance}`, "text/html");
      expect(people).toContain("By hand");
      expect(people).not.toContain("From elsewhere");
      const [, href = ""] = /type="text\/markdown" title="Markdown" href="([^"]+)"/.exec(people) ?? [];
      if (path === "/") {
        const markdown = await (await fetch(href.replaceAll("&amp;", "&"))).text();
        expect(markdown).toContain("By hand");
        expect(markdown).not.toContain("From elsewhere");
      }
    }
});
