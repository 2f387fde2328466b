import { MINUTE, SECONDS_PER_MINUTE } from "@tandem/contract/durations";
import { Issuer } from "@tandem/testing/issuer";
import { loopback } from "@tandem/testing/origin";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

describe("ID tokens", () => {
  let issuer: Issuer;
  let impostor: Issuer;
  let tandem: Tandem;

  beforeAll(async () => {
    [issuer, impostor] = await Promise.all([Issuer.start(), Issuer.start()]);
    tandem = await startTandem("sqlite", {
      env: { ...loopback, GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url },
    });
  });
  afterAll(() => Promise.all([tandem.stop(), issuer.stop(), impostor.stop()]));
  afterEach(() => void vi.useRealTimers());

  const signIn = (idToken: string) => tandem.as.anonymous().call("signInWithGoogle", { idToken });
  const now = () => Math.floor(Date.now() / 1000);

  const bad: Record<string, () => Promise<string> | string> = {
    "for another audience": () => issuer.token({ sub: "s", aud: "another-client" }),
    "for no audience": () => issuer.token({ sub: "s", aud: undefined }),
    "of another issuer": () => issuer.token({ sub: "s", iss: impostor.url }),
    "of no issuer": () => issuer.token({ sub: "s", iss: undefined }),
    "signed by another issuer": () => impostor.token({ sub: "s", iss: issuer.url }),
    "signed by a key that isn't published": () => issuer.token({ sub: "s" }, { kid: "unheard-of" }),
    "with another payload than was signed": async () => {
      const [header, , signature] = (await issuer.token({ sub: "s" })).split(".");
      const [, payload] = (await issuer.token({ sub: "somebody-else" })).split(".");
      return [header, payload, signature].join(".");
    },
    "not signed at all": () => new UnsecuredJWT(issuer.claims({ sub: "s" })).encode(),
    "signed with the public key as a password": () =>
      new SignJWT(issuer.claims({ sub: "s" }))
        .setProtectedHeader({ alg: "HS256", kid: String(issuer.publishedKey.kid) })
        .sign(new TextEncoder().encode(JSON.stringify(issuer.publishedKey))),
    expired: () => issuer.token({ sub: "s", exp: now() - SECONDS_PER_MINUTE }),
    "that never expires": () => issuer.token({ sub: "s", exp: undefined }),
    "not valid yet": () => issuer.token({ sub: "s", nbf: now() + 2 * SECONDS_PER_MINUTE }),
    "without a subject": () => issuer.token({}),
    "with an empty subject": () => issuer.token({ sub: "" }),
    "that isn't a JWT": () => "not.a.token",
    "that isn't ASCII": () => "☃",
  };

  test.each(Object.entries(bad))("rejects a token %s", async (_, make) => {
    const { status, body, headers } = await signIn(await make());
    expect({ status, code: body.code }).toEqual({ status: 401, code: "unauthorized" });
    expect(headers.getSetCookie()).toEqual([]);
  });

  test("tolerates clocks that differ by some seconds", async () => {
    expect((await signIn(await issuer.token({ sub: "s", exp: now() - 5 }))).status).toBe(200);
  });

  test("accepts a token with several audiences if one matches", async () => {
    const aud = ["another-client", issuer.clientId];
    expect((await signIn(await issuer.token({ sub: "s", aud }))).status).toBe(200);
  });

  test("fetches keys again after the provider rotates them, and rejects the old ones", async () => {
    await using rotating = await Issuer.start();
    await using services = await startTandem("sqlite", {
      env: { ...loopback, APPLE_CLIENT_ID: rotating.clientId, APPLE_ISSUER: rotating.url },
    });
    const enter = async (idToken: string) =>
      (await services.as.anonymous().call("signInWithApple", { idToken })).status;
    const before = await rotating.token({ sub: "s" });
    expect(await enter(before)).toBe(200);
    await rotating.rotate();
    // Keys are fetched at most twice a minute, so that invalid tokens can't make the service flood the provider.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE });
    expect(await enter(await rotating.token({ sub: "s" }))).toBe(200);
    expect(await enter(before)).toBe(401);
  });

  test("connects to a provider on a private network only if the administrator allows it", async () => {
    await using services = await startTandem("sqlite", {
      env: { GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url },
    });
    const idToken = await issuer.token({ sub: "s" });
    expect((await services.as.anonymous().call("signInWithGoogle", { idToken })).status).toBe(503);
  });

  test("returns 503 while a provider is down, and retries it", async () => {
    await using troubled = await Issuer.start();
    const idToken = await troubled.token({ sub: "s" });
    await using services = await startTandem("sqlite", {
      env: {
        ...loopback,
        GOOGLE_CLIENT_ID: troubled.clientId,
        GOOGLE_ISSUER: "http://127.0.0.1:9",
        APPLE_CLIENT_ID: troubled.clientId,
        APPLE_ISSUER: troubled.url,
      },
    });
    troubled.keysStatus = 500;
    for (const name of ["signInWithGoogle", "signInWithApple"] as const) {
      const { status, body, headers } = await services.as.anonymous().call(name, { idToken });
      expect({ status, code: body.code }).toEqual({ status: 503, code: "overloaded" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    troubled.keysStatus = 200;
    expect((await services.as.anonymous().call("signInWithApple", { idToken })).status).toBe(200);
  });
});
