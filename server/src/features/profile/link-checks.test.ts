import { DAY, HOUR, WEEK } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { Origin, type OriginHandler } from "@tandem/testing/origin";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkLinks } from "./link-checks.ts";

const html = (body: string): OriginHandler => ({ headers: { "content-type": "text/html" }, body });
const json = (body: object): OriginHandler => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const PROOF = "/.well-known/tandem.json";

describe.each(engines)("links on profiles on %s", (engine) => {
  const once = testOnce(engine);
  const clock = { now: Date.UTC(2026, 5, 1) };
  let tandem: Tandem;
  let origin: Origin;
  let ada: Person;
  beforeAll(async () => {
    // Some addresses of this machine; the others stay forbidden.
    const env = { OUTGOING_ALLOW: "127.0.0.0/29", LINK_CHECKS: "1", SOURCES_SPACING: "0" };
    const limit = { LIMIT_THROTTLES_LINK_CHECKS_PER_PERSON_LIMIT: "8" };
    tandem = await startTandem(engine, { env: { ...env, ...limit }, now: () => clock.now });
  });
  beforeEach(async () => {
    origin = await Origin.start();
    ada = await tandem.as.human();
  });
  afterEach(() => origin[Symbol.asyncDispose]());
  afterAll(() => tandem.stop());

  const profile = () => `${tandem.baseUrl}/creators/native/${ada.user.username}`;
  const backLink = () => html(`<p>Find me on <a rel="nofollow me" href="${profile()}">Tandem</a></p>`);
  const shown = async () => {
    await tandem.services.afterResponse.idle();
    const { creator } = await tandem.as
      .anonymous()
      .readCreator({ platform: "native", author: ada.user.username });
    expect((await ada.me()).user.links).toEqual(creator.links);
    return creator.links;
  };
  const edit = async (...links: string[]) => {
    await ada.editProfile({ links });
    await checked();
    return shown();
  };
  const checked = async () => {
    await tandem.services.afterResponse.idle();
    // On a busy machine, some may be left to the background job.
    await checkLinks(tandem.services);
  };
  const later = async (milliseconds: number) => {
    clock.now += milliseconds;
    await checkLinks(tandem.services);
    return (await shown())[0];
  };
  const paths = () => origin.requests.map(({ path }) => path);
  const time = () => new Date(clock.now).toISOString();

  test("are verified by a rel=me link or by a file of their site, in any form that names the profile", async () => {
    const base = new URL(profile());
    const pages = [
      origin.show("/a", backLink()),
      origin.show(
        "/head",
        html(
          `<link rel=me href='${profile()
            .toUpperCase()
            .replace(/^HTTP:\/\/[^/]+/, base.origin)}/?x#y'>`,
        ),
      ),
      origin.show("/moved", (_, response) => response.writeHead(302, { location: "/a" }).end()),
      origin.show(
        "/none",
        html(`<a href="${profile()}">no rel</a> <a rel="me" href="${profile()}x">other</a>`),
      ),
    ];
    const links = await edit(...pages);
    const verified = { verifiedAt: time(), checkedAt: time(), problem: null };
    expect(links).toEqual([
      ...pages.slice(0, 3).map((url) => ({ url, ...verified })),
      { url: pages[3], verifiedAt: null, checkedAt: time(), problem: "no_link_back" },
    ]);
    expect(paths().filter((path) => path === PROOF)).toHaveLength(1);

    origin.show(PROOF, json({ accounts: [7, "https://elsewhere.example/ada", profile()] }));
    expect(
      (await edit(...pages.slice(3), `${origin.url}/nowhere`)).map(({ verifiedAt }) => verifiedAt),
    ).toEqual([null, time()]);
    await ada.checkProfileLinks();
    expect((await shown())[0]).toMatchObject({ verifiedAt: time() });
  });

  test("aren't verified by another site that they redirect to", async () => {
    await using other = await Origin.start("127.0.0.2");
    const mine = `http://127.0.0.2:${other.port}/mine`;
    other.show("/mine", backLink());
    const open = origin.show("/to", (_, response) => response.writeHead(302, { location: mine }).end());
    expect(await edit(open)).toMatchObject([{ verifiedAt: null, problem: "no_link_back" }]);
    expect(other.requests).toEqual([]);
  });

  if (runsOnceTests(engine))
    test("are checked again each week, and lost when they don't point back or can't be read for days", async () => {
      const url = origin.show("/", backLink());
      expect(await edit(url)).toMatchObject([{ verifiedAt: time() }]);
      const first = time();
      const asked = paths().length;
      expect(await later(WEEK - 1)).toMatchObject({ verifiedAt: first });
      expect(paths().length).toBe(asked);
      expect(await later(1)).toMatchObject({ verifiedAt: time() });
      const last = time();

      origin.show("/", { status: 500 });
      await later(WEEK);
      const failed = { verifiedAt: last, problem: "unreachable" };
      expect(await later(HOUR)).toMatchObject(failed);
      expect(await later(4 * HOUR)).toMatchObject(failed);
      origin.show("/", backLink());
      expect(await later(16 * HOUR)).toMatchObject({ verifiedAt: time(), problem: null });

      origin.show("/", { status: 500 });
      for (const wait of [WEEK, HOUR, 4 * HOUR, 16 * HOUR])
        expect(await later(wait)).toMatchObject({ verifiedAt: expect.any(String), problem: "unreachable" });
      expect(await later(64 * HOUR)).toMatchObject({ verifiedAt: null, problem: "unreachable" });
      origin.show("/", backLink());
      expect(await later(HOUR)).toMatchObject({ verifiedAt: time() });

      origin.show("/", html("Nothing here"));
      expect(await later(WEEK)).toMatchObject({ verifiedAt: null, problem: "no_link_back" });
      for (const wait of [HOUR, DAY, WEEK, WEEK, WEEK, WEEK]) await later(wait);
      const all = paths().length;
      await later(3 * WEEK);
      expect(paths().length).toBe(all);
      origin.show("/", backLink());
      await ada.checkProfileLinks();
      expect(await shown()).toMatchObject([{ verifiedAt: time() }]);
    });

  test("can be reordered and removed without another check, and checks are limited per person", async () => {
    const [one, two] = [origin.show("/1", backLink()), origin.show("/2", backLink())];
    await edit(one, two, `${one}#again`);
    const asked = paths().length;
    expect((await edit(two, one)).map(({ url }) => url)).toEqual([two, one]);
    expect((await edit(one)).map(({ url }) => url)).toEqual([one]);
    expect(paths().length).toBe(asked);
    // Three so far: the same address with a fragment is another link.
    const agent = await tandem.as.agent(ada);
    const site = "https://192.0.2.1/";
    await agent.editProfile({ links: [1, 2, 3, 4, 5].map((n) => site + n) });
    await checked();
    for (const caller of [ada, agent])
      expect(await caller.call("checkProfileLinks")).toMatchObject({
        status: 429,
        body: { code: "rate_limited" },
      });
    expect(await ada.call("editProfile", { links: [one, two] })).toMatchObject({ status: 429 });
    expect((await shown()).map(({ url }) => url)).toEqual([one]);
    expect((await ada.editProfile({ links: null })).user.links).toEqual([]);
    expect((await ada.editProfile({ links: [], bio: "x" })).user.links).toEqual([]);
  });

  once("survive hostile pages, and never reach forbidden addresses", async () => {
    const cases: [string, OriginHandler][] = [
      ["/long", html(`${"<p>x</p>".repeat(200_000)}<a rel=me href="${profile()}">`)],
      ["/deep", html(`${"<div>".repeat(100_000)}<a rel=me href="${profile()}">`)],
      ["/pdf", { headers: { "content-type": "application/pdf" }, body: `<a rel=me href="${profile()}">` }],
      ["/cut", (_, response) => response.destroy()],
    ];
    const links = await edit(...cases.map(([path, what]) => origin.show(path, what)), "http://127.0.0.9/");
    expect(links.map(({ verifiedAt, problem }) => [verifiedAt, problem])).toEqual([
      [null, "no_link_back"],
      [null, "no_link_back"],
      [null, "no_link_back"],
      [null, "unreachable"],
      [null, "unreachable"],
    ]);
  });

  test("respect robots.txt, blocked domains and their owner's removal", async () => {
    origin.show("/robots.txt", { body: "User-agent: *\nDisallow: /\n" });
    const url = origin.show("/", backLink());
    expect(await edit(url)).toMatchObject([{ verifiedAt: null, problem: "unreachable" }]);
    expect(paths()).toEqual(["/robots.txt"]);

    await using second = await Origin.start();
    const page = second.show("/", backLink());
    expect(await edit(page)).toMatchObject([{ verifiedAt: time() }]);
    const deny = { host: "127.0.0.1", reason: null, created_at: 0 };
    await tandem.storage.write((tx) => tx.insertInto("denied_links").values(deny).execute());
    expect(await later(WEEK)).toMatchObject({ verifiedAt: null });
    expect(await ada.call("editProfile", { links: [page] })).toMatchObject({
      status: 400,
      body: { code: "denied_link", field: "links" },
    });
    await tandem.storage.write((tx) => tx.deleteFrom("denied_links").execute());
    for (const links of [
      ["http://a:b@example.org/"],
      ["javascript:1"],
      Array(6).fill("https://example.org/"),
    ])
      expect(await ada.call("editProfile", { links })).toMatchObject({
        status: 400,
        body: { field: "links" },
      });

    const rows = () =>
      tandem.storage.read
        .selectFrom("profile_links")
        .select("id")
        .where("user_id", "=", ada.user.id)
        .execute();
    expect(await rows()).toHaveLength(1);
    await ada.deleteAccount({ password: ada.password });
    expect(await rows()).toEqual([]);
  });
});
