import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import type { ProviderConfig } from "../../config.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Services } from "../../http/services.ts";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import { CLOCK_TOLERANCE } from "./nonces.ts";

/** How long to wait for a provider, in seconds, and the bytes that it may answer. */
const bounds = { seconds: 5, maxBytes: 2 ** 18 };

/** What goes wrong when keys are fetched, and so says nothing about the token. */
const providersFaults = new Set([errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]);

/** Of each service of this process. */
const keySets = new WeakMap<Services, Map<string, Promise<JWTVerifyGetKey>>>();

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
  services: Services,
  provider: ProviderConfig,
  idToken: string,
  nonce: string | undefined,
): Promise<IdToken> {
  const keys = await keysOf(services, provider.issuer);
  const payload = await checked(idToken, keys, provider);
  if (payload.nonce === nonce) return payload;
  throw new ApiError("unauthorized", "The ID token was not made for this sign-in.");
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
    throw new ApiError("unauthorized", "The ID token names nobody.");
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (cause instanceof errors.JOSEError && !providersFaults.has(cause.code))
      throw new ApiError("unauthorized", "The ID token is not valid.", { cause });
    throw unavailable(cause);
  }
}

/** The keys that the provider publishes, found through its discovery document and kept while they serve. */
function keysOf(services: Services, issuer: string): Promise<JWTVerifyGetKey> {
  const known = keySets.get(services) ?? new Map<string, Promise<JWTVerifyGetKey>>();
  keySets.set(services, known);
  let found = known.get(issuer);
  if (!found) {
    found = discover(issuer, services.outgoing);
    known.set(issuer, found);
    // The next sign-in asks again.
    found.catch(() => known.delete(issuer));
  }
  return found;
}

async function discover(issuer: string, outgoing: Outgoing): Promise<JWTVerifyGetKey> {
  try {
    const { bytes } = await outgoing(`${issuer}/.well-known/openid-configuration`, bounds);
    const { jwks_uri: address } = JSON.parse(bytes.toString()) as { jwks_uri: string };
    return createRemoteJWKSet(new URL(address), { [customFetch]: (url) => fetchKeys(url, outgoing) });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** The keys' address is the provider's word, and goes the way of every request. */
async function fetchKeys(url: string, outgoing: Outgoing): Promise<Response> {
  const { status, bytes } = await outgoing(url, { ...bounds, redirects: 0 });
  return new Response(bytes.toString(), { status });
}

function unavailable(cause: unknown): ApiError {
  return new ApiError("overloaded", "The identity provider can't be reached.", { retryAfter: 5, cause });
}
