import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { ProviderConfig } from "../../config.ts";
import { Problem } from "../../http/problem.ts";

/** Clocks may differ by this many seconds. */
export const CLOCK_TOLERANCE = 30;
/** How long to wait for a provider, in milliseconds. */
const PATIENCE = 5000;

/** What goes wrong when keys are fetched, and so says nothing about the token. */
const providersFaults = new Set([errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]);

const keySets = new Map<string, Promise<JWTVerifyGetKey>>();

/** What a good token says in any case: whom it is about, and when it ends, in seconds since 1970. */
export interface IdToken extends JWTPayload {
  sub: string;
  exp: number;
}

/**
 * What an ID token says, once its signature, issuer, audience, expiry and nonce hold (OpenID Connect Core,
 * 3.1.3.7). Throws `unauthorized` where they don't. `nonce` is the one this browser was given, if any.
 */
export async function verifyIdToken(
  provider: ProviderConfig,
  idToken: string,
  nonce: string | undefined,
): Promise<IdToken> {
  const keys = await keysOf(provider.issuer);
  const payload = await checked(idToken, keys, provider);
  if (payload.nonce === nonce) return payload;
  throw new Problem("unauthorized", "The ID token was not made for this sign-in.");
}

async function checked(
  idToken: string,
  keys: JWTVerifyGetKey,
  { issuer, clientIds }: ProviderConfig,
): Promise<IdToken> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      // Google names itself with and without the scheme.
      issuer: [issuer, issuer.replace(/^https:\/\//, "")],
      audience: clientIds,
      algorithms: ["RS256", "ES256"],
      requiredClaims: ["sub", "exp", "iat"],
      clockTolerance: CLOCK_TOLERANCE,
    });
    const { sub, exp } = payload;
    if (typeof sub === "string" && sub !== "" && exp !== undefined) return { ...payload, sub, exp };
    throw new Problem("unauthorized", "The ID token names nobody.");
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    if (cause instanceof errors.JOSEError && !providersFaults.has(cause.code))
      throw new Problem("unauthorized", "The ID token is not valid.", { cause });
    throw unavailable(cause);
  }
}

/** The keys that the provider publishes, found through its discovery document and kept while they serve. */
function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  let found = keySets.get(issuer);
  if (!found) {
    found = discover(issuer);
    keySets.set(issuer, found);
    // The next sign-in asks again.
    found.catch(() => keySets.delete(issuer));
  }
  return found;
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { jwks_uri: address } = (await response.json()) as { jwks_uri: string };
    return createRemoteJWKSet(new URL(address), { timeoutDuration: PATIENCE });
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): Problem {
  return new Problem("overloaded", "The identity provider can't be reached.", { retryAfter: 5, cause });
}
