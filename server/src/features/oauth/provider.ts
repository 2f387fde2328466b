import { generateKeyPairSync } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { clientAuthMethods, DEVICE_PATH, oauthPaths } from "@tandem/contract/oauth";
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { newKey } from "../../http/key-format.ts";
import type { Services } from "../../http/services.ts";
import { adapterOf } from "./adapter.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { consentPath } from "./paths.ts";
import { oauthScopes } from "./scopes.ts";

/**
 * The authorization server: the protocol is the library's, what it remembers is in Tandem's database, and people answer on
 * Tandem's own pages. Load this module only when it is needed: the library takes longer to load than the service to start.
 */
export function createProvider(services: Services): Provider {
  const provider = new Provider(services.baseUrl, configuration(services));
  // The service checks where a request comes from before it gets here.
  provider.proxy = true;
  // Access tokens are keys, in their format too: one that is published by mistake is revoked, as a key is.
  const { prototype } = provider.AccessToken;
  const generateTokenId: () => string = Reflect.get(prototype, "generateTokenId");
  Object.assign(prototype, {
    generateTokenId() {
      // It also settles the token's format.
      generateTokenId.call(this);
      return newKey();
    },
  });
  return provider;
}

function configuration(services: Services): Configuration {
  const { baseUrl } = services;
  const off = { enabled: false };
  return {
    adapter: adapterOf(services),
    clientAuthMethods: [...clientAuthMethods],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    // The library requires a key, but signs nothing with it: there are no ID tokens.
    jwks: { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] },
    cookies: { names: { resume: "tandem_authorization" } },
    features: {
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        cacheDuration: { min: 60, max: 86_400 },
      },
      deviceFlow: { enabled: true, deviceInfo: () => ({}) },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== baseUrl)
            throw new errors.InvalidTarget("resource must be an address of this service");
          return { scope: oauthScopes.join(" "), accessTokenFormat: "opaque" };
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: off,
      userinfo: off,
    },
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) => checkSignature(claims),
    allowOmittingSingleRegisteredRedirectUri: false,
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    pkce: { required: () => true },
    responseTypes: ["code"],
    scopes: [],
    routes: { ...oauthPaths, code_verification: DEVICE_PATH, jwks: "/oauth/unused/jwks" },
    ttl: {
      AccessToken: (ctx) => Math.min(limits.accessTokenMinutes * 60, secondsLeft(ctx)),
      AuthorizationCode: limits.authorizationCodeSeconds,
      DeviceCode: limits.appRequestMinutes * 60,
      Grant: limits.appGrantDays * 86_400,
      Interaction: limits.appRequestMinutes * 60,
      RefreshToken: secondsLeft,
      Session: 60,
    },
    interactions: { policy: policy(), url: (_ctx, { uid }) => consentPath(uid) },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: (ctx) => {
      const { grantId } = ctx.oidc.result?.consent ?? {};
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    fetch: (url, _options) => fetchMetadata(services, String(url)),
    renderError: (ctx, out) => {
      ctx.body = out;
    },
  };
}

/** The library remembers a signature until its end, so that it works once. */
function checkSignature({ exp, jti }: Record<string, unknown>): void {
  const latest = Math.floor(Date.now() / 1000) + limits.appSignatureMinutes * 60;
  if (!Number.isSafeInteger(exp) || Number(exp) > latest)
    throw new errors.InvalidClientAuth(
      `exp must be a whole number, at most ${limits.appSignatureMinutes} minutes ahead`,
    );
  if (typeof jti !== "string") throw new errors.InvalidClientAuth("jti must be text");
}

/** Seconds until the grant ends. */
function secondsLeft({ oidc }: KoaContextWithOIDC): number {
  return Math.max(1, (oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000));
}

/** Someone answers every request, on the consent page. */
function policy() {
  const { Check, Prompt, base } = interactionPolicy;
  const asked = base();
  asked.clear();
  const isUnanswered = ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent === undefined;
  asked.add(new Prompt({ name: "login", requestable: true }));
  asked.add(
    new Prompt(
      { name: "consent", requestable: true },
      new Check("unanswered", "someone has to authorize the app", isUnanswered),
    ),
  );
  return asked;
}
