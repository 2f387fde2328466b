import { describe, expect, test } from "vitest";
import type { LoadedPage } from "../shared/page.ts";
import { hrefOf, isSamePage, parseAddress } from "./address.ts";
import { matchPath } from "./match.ts";
import { createRouter } from "./router.ts";

describe("addresses", () => {
  test.each([
    ["/agents/new", "NewAgent", {}],
    ["/agents/7", "Agent", { id: "7" }],
    ["/creators/rss/a%20b%2Fc", "Creator", { platform: "rss", author: "a b/c" }],
    ["/About", "About", {}],
    ["/agents/", undefined, undefined],
    ["/posts/%E0%A4%A", undefined, undefined],
    ["//posts/1", undefined, undefined],
  ])("lead to pages: %s", (path, page, params) => {
    const match = matchPath(path);
    expect([match?.route.page, match?.params]).toEqual([page, params]);
  });

  test("are written without empty parameters, and read back", () => {
    const href = hrefOf({ to: "/search", search: { q: "a&b", type: undefined, by: "" }, hash: "end" });
    expect(href).toBe("/search?q=a%26b#end");
    expect(parseAddress(href)).toEqual({
      path: "/search",
      query: "?q=a%26b",
      search: { q: "a&b" },
      hash: "end",
      href,
    });
  });

  test.each([
    ["/?a=1&b=2", "/?b=2&a=1#x", true],
    ["/?a=1", "/", false],
    ["/", "/?a=1", false],
    ["/me", "/", false],
  ])("are compared without regard to order and fragment: %s, %s", (one, other, same) => {
    expect(isSamePage(parseAddress(one), parseAddress(other))).toBe(same);
  });
});

describe("the router", () => {
  const page: LoadedPage = { requiredRole: "members", logIn: undefined };
  const pathShown = ({ view }: ReturnType<typeof createRouter>) => view?.address.href;

  test("shows the last of several pages, whichever arrives first", async () => {
    const arrived: Record<string, () => void> = {};
    const router = createRouter(({ route }) =>
      new Promise<void>((resolve) => {
        arrived[route.path] = resolve;
      }).then(() => page),
    );
    const loads = ["/live", "/shop"].map((href) => router.load(href));
    arrived["/shop"]?.();
    expect(await loads[1]).toBe(true);
    arrived["/live"]?.();
    expect([await loads[0], pathShown(router), router.pending]).toEqual([false, "/shop", null]);
  });

  test("returns to the page shown without loading it again, and stops waiting for another", async () => {
    const requests: string[] = [];
    const router = createRouter(({ route }) => {
      requests.push(route.path);
      return route.path === "/live" ? new Promise(() => {}) : Promise.resolve(page);
    });
    await router.load("/shop");
    void router.load("/live");
    expect([pathShown(router), router.pending?.href]).toEqual(["/shop", "/live"]);
    await router.load("/shop#mine");
    expect([pathShown(router), router.pending]).toEqual(["/shop#mine", null]);
    expect(requests).toEqual(["/shop", "/live"]);
  });

  test("loads a page again that failed", async () => {
    const failure = new Error("no network");
    const results = [Promise.reject(failure), Promise.resolve(page)];
    const router = createRouter(() => results.shift() ?? Promise.reject(failure));
    await router.load("/shop");
    expect([router.view?.error, router.view?.page]).toEqual([failure, undefined]);
    await router.reload();
    expect([router.view?.error, router.view?.page]).toEqual([undefined, page]);
  });
});
