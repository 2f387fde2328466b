import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** More than two pages. */
const NOTES = 45;

describe("paginated lists of posts", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    for (let i = 1; i <= NOTES; i++) await ada.createPost({ title: `Note ${i}` });
    await (await tandem.as.human()).createPost({ title: "Something else" });
  });
  afterAll(() => tandem.stop());

  const html = async (address: string) => {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    return { status: response.status, text: await response.text() };
  };

  /** The resolved URL of a document's next page, or null if there is none. */
  function nextOf(text: string, address: string): string | null {
    const [, href] = text.match(/<a rel="next" href="([^"]+)"/) ?? [];
    return href === undefined ? null : new URL(href.replaceAll("&amp;", "&"), address).href;
  }

  /** The documents of a list, read page by page without scripts. */
  async function walk(path: string): Promise<{ address: string; text: string }[]> {
    const documents = [];
    for (let address: string | null = tandem.baseUrl + path; address !== null; ) {
      const { status, text } = await html(address);
      expect([address, status]).toEqual([address, 200]);
      documents.push({ address, text });
      address = nextOf(text, address);
    }
    return documents;
  }

  const titlesIn = (text: string) =>
    [...text.slice(0, text.indexOf('id="state"')).matchAll(/<h2[^>]*>.*?<\/h2>/gs)].flatMap(
      ([heading]) => heading.replace(/<[^>]+>/g, "").match(/Note \d+|Something else/g) ?? [],
    );

  test.each([
    ["/", NOTES + 1],
    ["/?sort=hot", NOTES + 1],
    ["/?author=ada_l&platform=native", NOTES],
    ["/search?q=note", NOTES],
    ["/creators/native/ada_l", NOTES],
  ])("work without scripts: each post appears once, and filters are kept: %s", async (path, posts) => {
    const [first, ...further] = await walk(path);
    expect(further.length).toBe(2);
    const titles = [first, ...further].flatMap((one) => titlesIn(one?.text ?? ""));
    expect(titles.length).toBe(posts);
    expect(new Set(titles).size).toBe(posts);
    const { searchParams: filters } = new URL(path, tandem.baseUrl);
    for (const { address, text } of further) {
      const { searchParams } = new URL(address);
      expect([...filters].every(([name, value]) => searchParams.get(name) === value)).toBe(true);
      // Search engines follow the links, but index only the posts.
      expect(text).toContain('<meta name="robots" content="noindex">');
      expect(text).not.toContain('rel="canonical"');
    }
  });

  test("continue from the cursor in the URL by infinite scroll", async () => {
    const [first] = await walk("/?sort=hot");
    const second = nextOf(first?.text ?? "", tandem.baseUrl) ?? "";
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(second.slice(tandem.baseUrl.length));
    const onFirstPage = new Set(titlesIn(first?.text ?? ""));
    const titles = () => page.getByRole("article").getByRole("heading").allTextContents();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 2_000);
        return (await titles()).length;
      })
      .toBe(NOTES + 1 - onFirstPage.size);
    expect((await titles()).filter((title) => onFirstPage.has(title))).toEqual([]);
    expect(page.url()).toBe(second);
    expect(visitor.browserErrors).toEqual([]);
  });

  test.each([
    "/?cursor=odd",
    "/?sort=hot&cursor=-1",
    "/search?q=note&cursor=1.5",
    "/creators/native/ada_l?cursor=x",
  ])("explain an invalid cursor: %s", async (path) => {
    const api = await fetch(`${tandem.baseUrl}/api/posts${path.replace(/^[^?]*/, "")}`);
    const { error } = await api.json();
    const { status, text } = await html(tandem.baseUrl + path);
    expect([api.status, status]).toEqual([400, 400]);
    expect(text).toContain(
      error.replaceAll("&", "&amp;").replaceAll("'", "&#x27;").replaceAll('"', "&quot;"),
    );
  });
});
