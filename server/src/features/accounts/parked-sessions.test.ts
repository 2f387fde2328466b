import { codeAt } from "@tandem/testing/account-inputs";
import { Authenticator, siteOf } from "@tandem/testing/authenticator";
import { type Caller, type CallResponse, cookieOf, type Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { Issuer } from "@tandem/testing/issuer";
import { loopback } from "@tandem/testing/origin";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe.each(engines)("the browser of an agent's session on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let issuer: Issuer;
  const clock = stoppedClock(Date.now());
  beforeAll(async () => {
    issuer = await Issuer.start();
    tandem = await startTandem(engine, {
      now: clock.now,
      env: { ...loopback, GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url },
    });
  });
  afterAll(async () => {
    await tandem.stop();
    await issuer.stop();
  });

  /** A browser in which ada has just opened a session as her agent. */
  const actAsAgent = async (ada: Person | Caller) => {
    const agent = await tandem.as.agent(ada);
    const browser = new Browser(tandem, ada);
    expect((await browser.send("openAgentSession", { id: agent.agent.id })).status).toBe(200);
    return { agent, browser };
  };

  once("never leads back to the operator without a credential of theirs", async () => {
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const before = String(ada.options.headers?.cookie);
    const { agent, browser } = await actAsAgent(ada);
    const { handle, session } = browser;
    expect(before).not.toContain(handle);
    // What the browser had before is worth nothing, and neither is what it has now, in any place.
    expect(await nameOf(tandem.as.with({ cookie: before }))).toBe(null);
    const attempts = [
      ...[handle, `parked:${handle}`].flatMap((token) => [
        tandem.as.with({ cookie: `tandem_session=${token}` }),
        tandem.as.with({ cookie: `tandem_session=${token}; tandem_operator=${session}` }),
        tandem.as.with({ authorization: `Bearer ${token}` }),
        tandem.as.bearer(token),
      ]),
      tandem.as.with({ cookie: `tandem_operator=${handle}` }),
      tandem.as.with({ cookie: `tandem_operator=${session}` }),
    ];
    for (const caller of attempts) expect(await nameOf(caller)).toBe(null);
    expect(await nameOf(browser.caller)).toBe(agent.agent.username);
    for (const [name, input] of [
      ["openAgentSession", { id: agent.agent.id }],
      ["mintKey", {}],
      ["editAgent", { id: agent.agent.id, paused: false }],
      ["listKeys", {}],
      ["deleteAccount", { password }],
    ] as const)
      expect((await browser.send(name, input)).body.code).toBe("agent_forbidden");
    for (const input of [
      { username: ada.user.username, password: "guess" },
      { username: agent.agent.username, password },
      { username: ada.user.username, password: handle },
    ])
      expect((await browser.send("logIn", input)).status).toBe(401);
    // Logging out leaves a browser that is signed out and has at most the handle.
    const out = await browser.send("logOut");
    expect(cookieOf(out)).toBe("tandem_session=");
    expect(await nameOf(browser.caller)).toBe(null);
    expect(browser.cookies()).toBe(`tandem_operator=${handle}`);
    expect((await browser.send("logOut")).status).toBe(401);
    // The handle says whose session is parked, and nothing else.
    expect((await browser.caller.readParkedSession()).parked).toMatchObject({
      username: ada.user.username,
      hasPassword: true,
      hasPasskey: false,
      providers: [],
    });
    expect(JSON.stringify(await browser.caller.readParkedSession())).not.toContain(ada.user.email);
    for (const cookie of [
      "",
      "tandem_operator=",
      `tandem_operator=${session}`,
      before,
      `tandem_session=${handle}`,
    ])
      expect((await tandem.as.with({ cookie }).readParkedSession()).parked).toBe(null);
    // Someone else's handle gives a browser nothing either.
    const planted = tandem.as.with({
      cookie: `${String(eve.options.headers?.cookie)}; tandem_operator=${handle}`,
    });
    expect(await nameOf(planted)).toBe(eve.user.username);
    await planted.logOut();
    expect(await nameOf(planted)).toBe(null);
  });

  once("returns with the password, in a new session, and forgets the handle", async () => {
    const ada = await tandem.as.human();
    const { agent, browser } = await actAsAgent(ada);
    const old = browser.caller;
    const { username } = ada.user;
    const crossSite = { origin: "https://evil.example" };
    const forged = tandem.as.with({ cookie: browser.cookies(), ...crossSite });
    expect((await forged.call("logIn", { username, password })).body.code).toBe("cross_origin");
    await browser.send("logIn", { username, password });
    expect(await nameOf(browser.caller)).toBe(username);
    expect(browser.cookies()).toMatch(/^tandem_session=[^;]+$/);
    // The agent's session in this browser has ended, and the parked one with it.
    expect(await nameOf(old)).toBe(null);
    expect((await old.readParkedSession()).parked).toBe(null);
    expect((await browser.caller.listSessions()).sessions).toHaveLength(1);
    expect(await nameOf(agent)).toBe(agent.agent.username);
  });

  once("asks for the second factor, and limits failures", async () => {
    const ada = await tandem.as.human();
    const { secret } = await ada.beginTwoFactor({ password });
    await ada.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    const { browser } = await actAsAgent(ada);
    const { username } = ada.user;
    for (const code of [undefined, "000000"])
      expect((await browser.send("logIn", { username, password, code })).body.code).toBe(
        "second_factor_required",
      );
    clock.pass(30_000);
    const responses: number[] = [];
    for (let i = 0; i < 12; i++)
      responses.push((await browser.send("logIn", { username, password: `guess ${i}` })).status);
    expect(responses).toEqual([...Array(10).fill(401), 429, 429]);
    clock.pass(900_000);
    const code = codeAt(String(secret), clock.now());
    expect((await browser.send("logIn", { username, password, code })).status).toBe(200);
    expect(await nameOf(browser.caller)).toBe(username);
  });

  test("returns with a passkey, or by a fresh sign-in with the provider", async () => {
    const browser = new Browser(tandem, tandem.as.anonymous());
    const signIn = async () => {
      const { nonce } = (await browser.send("beginSignIn")).body;
      const claims = { sub: "ada", email: "ada@example.org", email_verified: true, nonce };
      return browser.send("signInWithGoogle", { idToken: await issuer.token(claims) });
    };
    await signIn();
    const name = await nameOf(browser.caller);
    const agent = await tandem.as.agent(browser.caller);
    await browser.send("openAgentSession", { id: agent.agent.id });
    expect((await browser.caller.readParkedSession()).parked).toMatchObject({
      hasPassword: false,
      hasPasskey: false,
      providers: ["google"],
    });
    await signIn();
    expect(await nameOf(browser.caller)).toBe(name);
    const device = new Authenticator();
    const { options } = await browser.caller.beginPasskey({});
    await browser.caller.addPasskey(device.make(siteOf(tandem.baseUrl), options.challenge));
    await browser.send("openAgentSession", { id: agent.agent.id });
    expect((await browser.caller.readParkedSession()).parked).toMatchObject({ hasPasskey: true });
    const { challenge } = (await browser.caller.beginPasskeySignIn()).options;
    await browser.send("signInWithPasskey", device.prove(siteOf(tandem.baseUrl), challenge));
    expect(await nameOf(browser.caller)).toBe(name);
    expect(browser.handle).toBe("");
  });

  once("shows up in the operator's sessions, and its handle ends with the parked one", async () => {
    const ada = await tandem.as.human();
    const { username } = ada.user;
    const other = tandem.as.with({ cookie: cookieOf(await ada.call("logIn", { username, password })) });
    const parked = async ({ caller }: Browser) => (await caller.readParkedSession()).parked;
    const first = await actAsAgent(ada);
    const listed = await other.listSessions();
    expect(listed.sessions.map(({ parked, agentId }) => [parked, agentId]).toSorted()).toEqual([
      [false, null],
      [false, first.agent.agent.id],
      [true, null],
    ]);
    const id = Number(listed.sessions.find((session) => session.parked)?.id);
    await other.endSession({ id });
    expect(await parked(first.browser)).toBe(null);
    // Also when all end, when it expires, and when the account goes.
    for (const end of [
      () => other.endSession({ others: true }),
      async () => clock.passDays(31),
      () => logInAs(username).then((caller) => caller.deleteAccount({ password })),
    ]) {
      const { browser } = await actAsAgent(await logInAs(username));
      expect(await parked(browser)).toMatchObject({ username });
      await end();
      expect(await parked(browser)).toBe(null);
    }
  });

  const logInAs = async (username: string) =>
    tandem.as.with({ cookie: cookieOf(await tandem.as.anonymous().call("logIn", { username, password })) });
});

/** A client with a cookie jar, as a browser has it. */
class Browser {
  readonly #tandem: Tandem;
  readonly #jar = new Map<string, string>();

  constructor(tandem: Tandem, { options }: Caller) {
    this.#tandem = tandem;
    this.#store(String(options.headers?.cookie ?? "").split("; "));
  }

  get caller(): Caller {
    return this.#tandem.as.with({ cookie: this.cookies() });
  }

  get handle(): string {
    return this.#jar.get("tandem_operator") ?? "";
  }

  get session(): string {
    return this.#jar.get("tandem_session") ?? "";
  }

  cookies(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async send(...[name, input]: Parameters<Caller["call"]>): Promise<CallResponse> {
    const response = await this.caller.call(name, input);
    this.#store(cookieOf(response).split("; "));
    return response;
  }

  #store(cookies: string[]): void {
    for (const cookie of cookies.filter(Boolean)) {
      const [name = "", value = ""] = cookie.split("=");
      if (value) this.#jar.set(name, value);
      else this.#jar.delete(name);
    }
  }
}

/** The account that a caller acts as; null if it isn't signed in. */
async function nameOf(caller: Caller): Promise<string | null> {
  const { status, body } = await caller.call("me");
  return status === 200 ? (body as { user: { username: string } }).user.username : null;
}
