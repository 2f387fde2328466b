import { MINUTE } from "@tandem/contract/durations";
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
import { respectPause } from "../../http/retry-after.ts";
import type { Services } from "../../http/services.ts";
import type { OutgoingResponse } from "../../outgoing/outgoing.ts";
import { HostBusyError } from "../../outgoing/outgoing-error.ts";
import { CLOCK_TOLERANCE } from "./nonces.ts";

/** Limits on each request to a provider. */
const fetchLimits = { seconds: 5, maxBytes: 2 ** 18 };
/** The longest pause that a provider gets, in milliseconds: meanwhile nobody can sign in through it. */
const LONGEST_PAUSE = 5 * MINUTE;

/** Errors of fetching the keys, which say nothing about the token. */
const keyFetchErrors = new Set([errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]);

/** Key sets by issuer, for each service of this process. */
const keySets = new WeakMap<Services, Map<string, Promise<JWTVerifyGetKey>>>();

/** The claims of a verified ID token. */
export interface IdToken extends JWTPayload {
  sub: string;
  /** Seconds since 1970. */
  exp: number;
}

/**
 * Verifies an ID token's signature, issuer, audience, expiry and nonce (OpenID Connect Core, 3.1.3.7), and returns its
 * claims. `nonce` is the one this browser was given, if any. Throws `unauthorized`, or `overloaded` if the provider can't
 * be reached.
 */
export async function verifyIdToken(
  services: Services,
  provider: ProviderConfig,
  idToken: string,
  nonce: string | undefined,
): Promise<IdToken> {
  const keys = await keySetOf(services, provider.issuer);
  const payload = await verifyClaims(idToken, keys, provider);
  if (payload.nonce === nonce) return payload;
  throw new ApiError("unauthorized", "The ID token's nonce doesn't match. Start the sign-in again.");
}

async function verifyClaims(
  idToken: string,
  keys: JWTVerifyGetKey,
  { issuer, clientIds }: ProviderConfig,
): Promise<IdToken> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      // Google uses its issuer with and without the scheme.
      issuer: [issuer, issuer.replace(/^https:\/\//, "")],
      audience: clientIds,
      algorithms: ["RS256", "ES256"],
      requiredClaims: ["sub", "exp", "iat"],
      clockTolerance: CLOCK_TOLERANCE,
    });
    const { sub, exp } = payload;
    if (typeof sub === "string" && sub !== "" && exp !== undefined) return { ...payload, sub, exp };
    throw new ApiError("unauthorized", "The ID token's `sub` claim is empty.");
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (cause instanceof errors.JOSEError && !keyFetchErrors.has(cause.code))
      throw new ApiError("unauthorized", "The ID token is not valid.", { cause });
    throw unavailable(cause);
  }
}

/** The provider's published keys, found through its discovery document and cached. */
function keySetOf(services: Services, issuer: string): Promise<JWTVerifyGetKey> {
  const known = keySets.get(services) ?? new Map<string, Promise<JWTVerifyGetKey>>();
  keySets.set(services, known);
  let keySet = known.get(issuer);
  if (!keySet) {
    keySet = discover(services, issuer);
    known.set(issuer, keySet);
    // After a failure the next sign-in tries again.
    keySet.catch(() => known.delete(issuer));
  }
  return keySet;
}

async function discover(services: Services, issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const { bytes } = await ask(services, `${issuer}/.well-known/openid-configuration`);
    const { jwks_uri: address } = JSON.parse(bytes.toString()) as { jwks_uri: string };
    return createRemoteJWKSet(new URL(address), { [customFetch]: (url) => fetchKeys(services, url) });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** The provider chooses the keys' address, so it is fetched under the same guards as every outgoing request. */
async function fetchKeys(services: Services, url: string): Promise<Response> {
  const { status, bytes } = await ask(services, url, 0);
  return new Response(bytes.toString(), { status });
}

function ask(services: Services, url: string, redirects = 5): Promise<OutgoingResponse> {
  const send = () => services.outgoing(url, { ...fetchLimits, redirects });
  return respectPause(services, `sign-in at ${new URL(url).host}`, send, LONGEST_PAUSE);
}

function unavailable(cause: unknown): ApiError {
  return new ApiError("overloaded", "Can't reach the identity provider. Try again in a few seconds.", {
    retryAfter: cause instanceof HostBusyError ? Math.ceil(cause.wait / 1000) : 5,
    cause,
  });
}
