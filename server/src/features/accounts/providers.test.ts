import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { cookieOf } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { Issuer } from "@tandem/testing/issuer";
import { loopback } from "@tandem/testing/origin";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../http/key-format.ts";

describe.each(engines)("signing in through a provider on %s", (engine) => {
  const once = testOnce(engine);
  let google: Issuer;
  let apple: Issuer;
  let tandem: Tandem;
  const clock = stoppedClock(Date.now());

  beforeAll(async () => {
    [google, apple] = await Promise.all([Issuer.start("RS256"), Issuer.start()]);
    tandem = await startTandem(engine, {
      now: clock.now,
      env: {
        ...loopback,
        TRUST_PROXY: "1",
        LIMIT_THROTTLES_NONCE_PER_ADDRESS_LIMIT: "2",
        GOOGLE_CLIENT_ID: `another-client, ${google.clientId}`,
        GOOGLE_ISSUER: google.url,
        APPLE_CLIENT_ID: apple.clientId,
        APPLE_ISSUER: apple.url,
      },
    });
  });
  afterAll(() => Promise.all([tandem.stop(), google.stop(), apple.stop()]));

  const withGoogle = async (claims: object) =>
    tandem.as
      .anonymous()
      .signInWithGoogle({ idToken: await google.token({ sub: "g-1", email_verified: true, ...claims }) });
  const withApple = async (claims: object, fullName?: Input<Operations["signInWithApple"]>["fullName"]) =>
    tandem.as.anonymous().signInWithApple({
      idToken: await apple.token({ sub: "a-1", email_verified: "true", ...claims }),
      ...(fullName !== undefined && { fullName }),
    });

  once("removes hidden characters from a provider's name, and never shows an API key", async () => {
    const key = newKey();
    const names = [
      "Ad\u200ba\u202e Love\u{e0041}lace",
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
      "\u200b",
      key,
    ];
    const shown = ["Ada Lovelace", names[1], null, null];
    for (const [i, name] of names.entries()) {
      const { user } = await withGoogle({ sub: `g-named-${i}`, email: `named${i}@example.org`, name });
      const appleResponse = await withApple({ sub: `a-named-${i}`, email: `beside${i}@example.org` }, name);
      expect([user?.displayName, appleResponse.user?.displayName]).toEqual([shown[i], shown[i]]);
      expect(JSON.stringify([user, appleResponse])).not.toContain(key.slice(-20));
    }
  });

  once("creates an account at the first sign-in, and finds it at later ones", async () => {
    const claims = {
      sub: "g-grace",
      email: "Grace@example.org",
      email_verified: true,
      name: "Grace Hopper",
    };
    const idToken = await google.token(claims);
    const first = await tandem.as.anonymous().call("signInWithGoogle", { idToken });
    expect(first).toMatchObject({
      status: 200,
      body: {
        user: {
          username: "Grace_Hopper",
          email: "Grace@example.org",
          displayName: "Grace Hopper",
          role: "user",
        },
      },
    });
    const { user } = first.body;
    expect(await tandem.as.with({ cookie: cookieOf(first) }).me()).toEqual({ user });
    expect(await withGoogle({ sub: "g-grace" })).toEqual({ user });
    // She stays the same account if her address changes at the provider.
    expect(await withGoogle({ sub: "g-grace", email: "new@example.org" })).toEqual({ user });
  });

  test("gives people with the same name different usernames", async () => {
    const users = await Promise.all(
      ["g-t1", "g-t2", "g-t3"].map(async (sub) => (await withGoogle({ sub, name: "Twin" })).user),
    );
    expect(new Set(users.map((user) => user?.username.toLowerCase())).size).toBe(3);
    for (const user of users) expect(user?.username).toMatch(/^Twin\d*$/);
  });

  test("derives a valid username from a name in any script, or none", async () => {
    for (const [i, name] of ["李小龙", "", "Ünsal Öz", "x".repeat(200), "admin", "\u0000"].entries()) {
      const { user } = await withGoogle({ sub: `g-name-${i}`, name });
      expect(user?.username).toMatch(/^[A-Za-z0-9_.-]{2,40}$/);
      expect(user?.username.toLowerCase()).not.toBe("admin");
    }
  });

  once("takes the name that Apple sends with the token", async () => {
    const { user } = await withApple({ sub: "a-2", email: "ada@example.org" }, " Ada Lovelace ");
    expect(user).toMatchObject({ displayName: "Ada Lovelace", email: "ada@example.org" });
    expect(await withApple({ sub: "a-2" }, "Someone Else")).toEqual({ user });
    const names = [
      { firstName: "Ada", lastName: "King" },
      { givenName: "Ada", middleName: null, familyName: "King", nickname: null },
    ];
    for (const [i, name] of names.entries()) {
      const response = await withApple({ sub: `a-object-${i}`, email: `king${i}@example.org` }, name);
      expect(response.user?.displayName).toBe("Ada King");
    }
  });

  once("keeps the subjects of two providers apart", async () => {
    const [first, second] = [await withGoogle({ sub: "same" }), await withApple({ sub: "same" })];
    expect(first.user?.id).not.toBe(second.user?.id);
  });

  test("refuses an address that another account has, and never merges accounts", async () => {
    await tandem.as.human("margaret");
    await expect(withGoogle({ sub: "g-m", email: "MARGARET@example.org" })).rejects.toMatchObject({
      status: 400,
      code: "email_taken",
      field: "idToken",
    });
  });

  if (runsOnceTests(engine))
    test.each([
      ["google", false, false],
      ["google", undefined, false],
      ["google", "true", false],
      ["google", true, true],
      ["apple", "false", false],
      ["apple", undefined, false],
      ["apple", "true", true],
      ["apple", true, true],
    ] as const)(
      "takes an address that %s calls verified (%s) as verified: %s",
      async (provider, says, taken) => {
        const name = `${provider}-${typeof says}-${says}`;
        const claims = { sub: name, email: `${name}@example.org`, email_verified: says };
        const { user } = await (provider === "google" ? withGoogle : withApple)(claims);
        const none = new RegExp(`^${provider}-[0-9a-f]+@users\\.invalid$`);
        expect(user?.email).toEqual(taken ? claims.email : expect.stringMatching(none));
      },
    );

  once("doesn't take an unverified address from its owner", async () => {
    await withGoogle({ sub: "g-squatter", email: "hedy@example.org", email_verified: false });
    expect((await tandem.as.human("hedy")).user?.email).toBe("hedy@example.org");
  });

  test("accepts an ID token without a nonce once, however its signature is encoded", async () => {
    const idToken = await apple.token({ sub: "a-leaked" });
    const signIn = async (token: string) =>
      (await tandem.as.anonymous().call("signInWithApple", { idToken: token })).status;
    expect(await signIn(idToken)).toBe(200);
    expect(await signIn(idToken)).toBe(401);
    expect(await signIn(otherSignature(idToken))).toBe(401);
    expect(await signIn(await apple.token({ sub: "a-leaked", jti: "another" }))).toBe(200);
  });

  test("doesn't blame the token for a storage failure", async () => {
    await using troubled = await startTandem(engine, {
      env: { ...loopback, GOOGLE_CLIENT_ID: google.clientId, GOOGLE_ISSUER: google.url },
    });
    await troubled.storage.write((tx) => sql`alter table quota_windows rename to gone`.execute(tx));
    const idToken = await google.token({ sub: "g-trouble" });
    const { status, body } = await troubled.as.anonymous().call("signInWithGoogle", { idToken });
    expect({ status, code: body.code }).toEqual({ status: 500, code: "internal" });
  });

  once("lists the providers for everyone, with what a page needs to start a sign-in", async () => {
    const { providers } = await tandem.as.anonymous().listProviders();
    expect(providers).toEqual([
      { name: "google", clientId: "another-client", authorizeUrl: `${google.url}/o/oauth2/v2/auth` },
      { name: "apple", clientId: apple.clientId, authorizeUrl: `${apple.url}/auth/authorize` },
    ]);
  });

  once("returns 404 for a provider that isn't configured", async () => {
    await using bare = await startTandem(engine);
    expect(await bare.as.anonymous().listProviders()).toEqual({ providers: [] });
    const idToken = await google.token({ sub: "g-1" });
    for (const name of ["signInWithGoogle", "signInWithApple"] as const) {
      expect(await bare.as.anonymous().call(name, { idToken })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
  });

  describe("with a nonce", () => {
    const begin = async () => {
      const response = await tandem.as.anonymous().call("beginSignIn");
      return { nonce: String(response.body.nonce), cookie: cookieOf(response), response };
    };
    const signIn = async (nonce: string | undefined, cookie?: string) =>
      tandem.as
        .with(cookie === undefined ? {} : { cookie })
        .call("signInWithGoogle", { idToken: await google.token({ sub: "g-nonce", nonce }) });

    once("issues a new nonce each time, in a cookie for ten minutes", async () => {
      const [first, second] = [await begin(), await begin()];
      expect(first.nonce.length).toBeGreaterThanOrEqual(32);
      expect(first.nonce).not.toBe(second.nonce);
      const [cookie] = first.response.headers.getSetCookie();
      expect(cookie).toMatch(/HttpOnly/);
      expect(cookie).toMatch(/Max-Age=600;/);
    });

    once("accepts a token with this browser's nonce, and consumes the nonce", async () => {
      const { nonce, cookie } = await begin();
      const response = await signIn(nonce, cookie);
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie().find((set) => set.startsWith("tandem_nonce="))).toMatch(
        /^tandem_nonce=; Max-Age=0;/,
      );
    });

    test("accepts a nonce once, even if the client keeps the cookie", async () => {
      const { nonce, cookie } = await begin();
      expect((await signIn(nonce, cookie)).status).toBe(200);
      expect(await signIn(nonce, cookie)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    });

    once("rejects a nonce that the client made up", async () => {
      const nonce = "made-up-by-the-client-itself-00001";
      expect(await signIn(nonce, `tandem_nonce=${nonce}`)).toMatchObject({
        status: 401,
        body: { code: "unauthorized" },
      });
    });

    once("expires a nonce after ten minutes, even if the cookie is still there", async () => {
      const [late, inTime] = [await begin(), await begin()];
      clock.pass(599_999);
      expect((await signIn(inTime.nonce, inTime.cookie)).status).toBe(200);
      clock.pass(1);
      expect((await signIn(late.nonce, late.cookie)).status).toBe(401);
    });

    once("stores only a nonce's hash, and nothing in a dry run", async () => {
      const { nonce } = await begin();
      const storedNonces = () => tandem.storage.read.selectFrom("nonces").selectAll().execute();
      const before = await storedNonces();
      expect(before.length).toBeGreaterThan(0);
      expect(JSON.stringify(before)).not.toContain(nonce);
      await tandem.as.anonymous().call("beginSignIn", {}, { dryRun: true });
      expect(await storedNonces()).toEqual(before);
    });

    once("limits nonces per client address", async () => {
      const from = tandem.as.with({ "x-forwarded-for": "203.0.113.5" });
      const responses = [];
      for (let i = 0; i < 3; i++) responses.push(await from.call("beginSignIn"));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(responses[2]?.body.error).toBe("Too many sign-ins; try again in 10 minutes (600 s).");
    });

    test("rejects a token with another nonce, without a nonce, or without the cookie", async () => {
      const [mine, theirs] = [await begin(), await begin()];
      const responses = await Promise.all([
        signIn(theirs.nonce, mine.cookie),
        signIn(undefined, mine.cookie),
        signIn(mine.nonce),
        signIn("", mine.cookie),
      ]);
      for (const { status, body, headers } of responses) {
        expect({ status, code: body.code }).toEqual({ status: 401, code: "unauthorized" });
        expect(headers.getSetCookie()).toEqual([]);
      }
    });
  });
});

/** The same token with its signature in the other form: with ECDSA, (r, s) and (r, -s) are both valid. */
function otherSignature(idToken: string): string {
  const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const [header, claims, signature = ""] = idToken.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const half = order - BigInt(`0x${bytes.subarray(32).toString("hex")}`);
  bytes.write(half.toString(16).padStart(64, "0"), 32, "hex");
  return [header, claims, bytes.toString("base64url")].join(".");
}
