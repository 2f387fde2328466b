import { startTandem } from "@tandem/testing/tandem";
import { afterEach, expect, test, vi } from "vitest";
import { Admission, Ticket } from "./admission.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("reads that had to wait are answered as any others, and refused as any others", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const { post } = await ada.createPost({ title: "Worth a wait" });
  const paths = [
    "/api/posts",
    `/api/posts/${post.id}`,
    `/api/posts/${post.id}/comments`,
    "/api/posts/999999",
    "/api/posts?limit=x",
  ];
  const ask = async (path: string, headers = {}) => {
    const response = await fetch(tandem.baseUrl + path, { headers: { ...ada.options.headers, ...headers } });
    const text = await response.text();
    return { status: response.status, text, type: response.headers.get("content-type"), response };
  };
  const before = await Promise.all(paths.map((path) => ask(`${path}${path.includes("?") ? "&" : "?"}_=1`)));
  // None starts at once.
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  const entered = vi.spyOn(Admission.prototype, "enter");
  const waited = await Promise.all(paths.map((path) => ask(`${path}${path.includes("?") ? "&" : "?"}_=2`)));
  const facts = ({ status, text, type }: (typeof before)[number]) => ({ status, text, type });
  expect(waited.map(facts)).toEqual(before.map(facts));
  expect(waited.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400]);
  // Each waits once.
  expect(entered).toHaveBeenCalledTimes(paths.length);
  // What stands against an answer is said although the caller is unknown.
  expect((await ask("/api/posts", { authorization: "Bearer unknown" })).status).toBe(401);

  entered.mockImplementation((entrant) => {
    entrant.refuse("reads");
    return new Ticket(entrant);
  });
  const { status, text, response } = await ask("/api/posts?_=3");
  expect([status, JSON.parse(text).code]).toEqual([503, "overloaded"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
});
