import { limits } from "@tandem/contract/limits";
import { cookieOf } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { describe, expect, test } from "vitest";

describe.each(engines)("sessions on %s", (engine) => {
  const once = testOnce(engine);
  const account = { username: "ada", email: "ada@example.org", password: "correct horse" };
  const { username, password } = account;

  once("sets an opaque cookie that is HttpOnly, SameSite=Lax and lasts 30 days", async () => {
    await using tandem = await startTandem(engine);
    const anonymous = tandem.as.anonymous();
    const cookies = [
      await anonymous.call("signUp", account),
      await anonymous.call("logIn", { username, password }),
    ].map(({ headers }) => headers.getSetCookie());
    for (const [cookie, ...others] of cookies) {
      expect(others).toEqual([
        expect.stringMatching(/^tandem_device=[\w-]{32}; Max-Age=31536000;.* HttpOnly/),
      ]);
      expect(cookie).toMatch(/^tandem_session=[\w-]{43};/);
      expect(attributes(cookie)).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
    }
    expect(cookies[0]).not.toEqual(cookies[1]);
  });

  once("sets the Secure flag if the base URL is https", async () => {
    await using tandem = await startTandem(engine, { env: { BASE_URL: "https://tandem.example" } });
    const { headers } = await tandem.as.anonymous().call("signUp", account);
    expect(attributes(headers.getSetCookie()[0])).toContain("Secure");
  });

  once("stores no token, only its hash", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const token = String(ada.options.headers?.cookie).split("=")[1];
    const rows = await tandem.storage.read.selectFrom("sessions").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  once("returns the caller's account from `me`", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human("ada");
    const agent = await tandem.as.agent(ada, "robot");
    expect((await ada.me()).user).toEqual(ada.user);
    expect((await agent.me()).user).toMatchObject({
      username: "robot",
      email: "robot@agents.invalid",
      role: "agent",
    });
    await expect(tandem.as.anonymous().me()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
  });

  once("ends only the current session on log-out", async () => {
    await using tandem = await startTandem(engine);
    const here = await tandem.as.human("ada");
    const elsewhere = tandem.as.with({
      cookie: cookieOf(await tandem.as.anonymous().call("logIn", { username, password })),
    });
    const left = await here.call("logOut");
    expect(left).toMatchObject({ status: 200, body: { ok: true } });
    expect(left.headers.getSetCookie()).toEqual([expect.stringMatching(/^tandem_session=; Max-Age=0;/)]);
    await expect(here.me()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    expect((await elsewhere.me()).user.username).toBe("ada");
  });

  once("extends a session in use, and expires one after 30 days without", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now });
    const ada = await tandem.as.human();
    const renewed = async () => (await ada.call("me")).headers.getSetCookie();
    expect(await renewed()).toEqual([]);
    for (let month = 0; month < 3; month++) {
      clock.passDays(29);
      expect(await renewed()).toEqual([expect.stringContaining(String(ada.options.headers?.cookie))]);
      expect(await renewed()).toEqual([]);
    }
    clock.passDays(30);
    expect((await ada.call("me")).status).toBe(401);
  });

  once("extends a session when a page of the app is read", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now });
    const ada = await tandem.as.human();
    const cookie = String(ada.options.headers?.cookie);
    clock.passDays(29);
    const page = await fetch(`${tandem.baseUrl}/settings`, { headers: { cookie, accept: "text/html" } });
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, [expect.stringContaining(cookie)]]);
    clock.passDays(29);
    expect((await ada.me()).user.username).toBe(ada.user.username);
  });

  test("ends an account's least recently used sessions beyond the limit", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now });
    const ada = await tandem.as.human("ada");
    const { agent } = await tandem.as.agent(ada);
    const open = () => tandem.as.agentSession(ada, agent.id);
    const [used, unused] = [await open(), await open()];
    clock.passDays(2);
    await used.me();
    for (let i = 0; i < limits.sessionsPerAccount - 2; i++) await open();
    const latest = await open();
    expect([(await used.call("me")).status, (await latest.call("me")).status]).toEqual([200, 200]);
    const rows = tandem.storage.read.selectFrom("sessions").where("user_id", "=", agent.id);
    expect(await rows.select("id").execute()).toHaveLength(limits.sessionsPerAccount);
    expect((await unused.call("me")).status).toBe(401);
    expect((await ada.call("me")).status).toBe(200);
  });

  once("never shows an account's address to anyone else", async () => {
    await using tandem = await startTandem(engine);
    const [ada, reader] = await Promise.all([tandem.as.human("ada"), tandem.as.human()]);
    const { post } = await ada.createPost({ title: "By ada" });
    const readersPost = await reader.createPost({ title: "By the reader" });
    await ada.createComment({ id: readersPost.post.id, body: "From ada" });
    await ada.createProduct({ title: "Of ada", url: "https://shop.example/" });
    await ada.startLive({ title: "Live from ada" });
    const responses = await Promise.all([
      reader.call("listPosts"),
      reader.call("readPost", { id: post.id }),
      reader.call("listComments", { id: readersPost.post.id }),
      reader.call("searchCreators", { q: "ada" }),
      reader.call("listNotifications"),
      reader.call("listProducts"),
      reader.call("listLives"),
    ]);
    for (const { body } of responses) {
      expect(JSON.stringify(body)).toContain("ada");
      expect(JSON.stringify(body)).not.toContain("ada@example.org");
    }
  });
});

function attributes(cookie = ""): string[] {
  return cookie.split("; ").slice(1).sort();
}
