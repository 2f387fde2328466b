import { makeAdmin } from "@tandem/testing/admins";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem } from "@tandem/testing/tandem";
import { pages } from "@tandem/web/shared/paths";
import { describe, expect, test } from "vitest";
import { listedPages } from "./sitemap.ts";

describe.each(engines)("the sitemap on %s", (engine) => {
  test("lists what strangers may read and search engines should find", async () => {
    await using tandem = await startTandem(engine);
    const get = async (path: string) => {
      const response = await fetch(new URL(path, tandem.baseUrl), { headers: { accept: "text/html" } });
      return {
        status: response.status,
        type: response.headers.get("content-type"),
        text: await response.text(),
      };
    };
    const locations = async (path: string) => {
      const { status, type, text } = await get(path);
      expect([path, status, type]).toEqual([path, 200, "application/xml; charset=utf-8"]);
      return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => String(address));
    };
    const at = (path: string) => tandem.baseUrl + path;
    expect(await locations("/sitemaps/posts/0.xml")).toEqual([at("/")]);

    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const ada = await tandem.as.human("ada");
    await tandem.as.human("silent");
    const titles = ["Listed", "Edited", "Deleted", "Removed"];
    const [listed, edited, deleted, removed] = await Promise.all(
      titles.map(async (title) => (await ada.createPost({ title })).post),
    );
    const { post: changed } = await ada.editPost({ id: Number(edited?.id), title: "Edited again" });
    await ada.deletePost({ id: Number(deleted?.id) });
    await admin.removePost({ id: Number(removed?.id), reason: "spam" });
    await ada.createDraft({ title: "Not published" });
    const [imported, discussed] = await tandem.storage.write(async (tx) => [
      await insertImportedPost(tx, { title: "Imported" }),
      await insertImportedPost(tx, { title: "Imported, with comments here" }),
    ]);
    await ada.createComment({ id: Number(discussed), body: "Hello" });

    const files = await locations("/sitemap.xml");
    expect(files).toEqual(["pages", "posts/0", "creators/0"].map((name) => at(`/sitemaps/${name}.xml`)));
    expect(await locations("/sitemaps/pages.xml")).toEqual(listedPages.map(at));
    expect((await locations("/sitemaps/posts/0.xml")).sort()).toEqual(
      [listed, edited, { id: discussed }].map((post) => at(`/posts/${post?.id}`)).sort(),
    );
    expect((await get("/sitemaps/posts/0.xml")).text).toContain(
      `<loc>${at(`/posts/${edited?.id}`)}</loc><lastmod>${changed.editedAt}</lastmod>`,
    );
    expect(await locations("/sitemaps/creators/0.xml")).toEqual([at("/creators/native/ada")]);
    for (const path of ["posts/1", "posts/-1", "posts/01", "posts/0x1", "posts/99999999999", "users/0"])
      expect([path, (await get(`/sitemaps/${path}.xml`)).status]).toEqual([path, 404]);

    // What is listed isn't `noindex`, and a post that isn't listed is, or doesn't exist.
    if (engine !== "sqlite") return;
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(listedPages));
    for (const file of files)
      for (const address of await locations(file)) {
        const { status, text } = await get(address);
        expect([address, status, text.includes('content="noindex"')]).toEqual([address, 200, false]);
      }
    for (const id of [imported, deleted?.id, removed?.id])
      expect((await get(`/posts/${id}`)).text).toContain('content="noindex"');
  });
});

test("a cached file of the sitemap isn't made again for a query", async () => {
  await using tandem = await startTandem("sqlite", { env: { PAGE_CACHE: "600" } });
  const ada = await tandem.as.human("ada");
  const read = async (query: string) =>
    (await fetch(`${tandem.baseUrl}/sitemaps/posts/0.xml${query}`)).text();
  const before = await read("?x=1");
  await ada.createPost({ title: "On engines" });
  for (const query of ["", "?", "?x=2"]) expect(await read(query)).toBe(before);
});
