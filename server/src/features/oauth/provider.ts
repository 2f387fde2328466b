import { generateKeyPairSync } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { DEVICE_PATH, oauthPaths } from "@tandem/contract/oauth";
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { newKey } from "../../http/key-format.ts";
import type { Services } from "../../http/services.ts";
import { addressAttempt, countAttempt } from "../accounts/throttle.ts";
import { adapterOf } from "./adapter.ts";
import { usedMetadata } from "./client-metadata.ts";
import { consentPath } from "./paths.ts";
import { resourcesOf } from "./resources.ts";
import { oauthScopes } from "./scopes.ts";

/** Bytes of an app's public keys. */
const KEYS_BYTES = 64 * 1024;

/**
 * The authorization server: the protocol is the library's, what it remembers is in Tandem's database, and people answer on
 * Tandem's own pages. Load this module only when it is needed: the library takes longer to load than the service to start.
 */
export function createProvider(services: Services): Provider {
  const provider = new Provider(services.baseUrl, configuration(services));
  // The service checks where a request comes from before it gets here.
  provider.proxy = true;
  // The library's types leave it out.
  const tokens = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
  const { generateTokenId } = tokens;
  // Access tokens are keys, in their format too: one that is published by mistake is revoked, as a key is.
  tokens.generateTokenId = function () {
    generateTokenId.call(this);
    return newKey();
  };
  return provider;
}

function configuration(services: Services): Configuration {
  const { baseUrl } = services;
  const off = { enabled: false };
  return {
    adapter: adapterOf(services),
    clientAuthMethods: ["none", "private_key_jwt"],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    // The library requires a key, but signs nothing with it: there are no ID tokens.
    jwks: { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] },
    cookies: { names: { resume: "tandem_authorization" } },
    features: {
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: (ctx, clientId) => mayFetch(services, ctx, clientId),
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
          if (!resourcesOf(baseUrl).includes(resource))
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
      AccessToken: (ctx) => Math.min(limits.accessTokenMinutes * 60, leftOf(ctx)),
      AuthorizationCode: 60,
      DeviceCode: limits.appRequestMinutes * 60,
      Grant: limits.appGrantDays * 86_400,
      Interaction: limits.appRequestMinutes * 60,
      RefreshToken: leftOf,
      Session: 60,
    },
    interactions: { policy: policy(), url: (_ctx, { uid }) => consentPath(uid) },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: (ctx) => {
      const { grantId } = ctx.oidc.result?.consent ?? {};
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    fetch: (url, _options) => fetchDocument(services, String(url)),
    renderError: (ctx, out) => {
      ctx.body = out;
    },
  };
}

/** Seconds until the grant ends. */
function leftOf({ oidc }: KoaContextWithOIDC): number {
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
      new Check("unanswered", "someone has to let the app in", isUnanswered),
    ),
  );
  return asked;
}

/** Whether an app's description may be fetched now. Never from this service, where its users could publish one. */
async function mayFetch(services: Services, ctx: KoaContextWithOIDC, clientId: string): Promise<boolean> {
  if (new URL(clientId).host === new URL(services.baseUrl).host) return false;
  const attempt = addressAttempt("descriptions of apps", ctx.ip, "appDocumentsPerAddress");
  const { storage, now } = services;
  await storage.write((tx) => countAttempt({ services, now: now() }, tx, attempt));
  return true;
}

/** Fetches an app's description or public keys, as every request to other servers. Redirects aren't followed. */
async function fetchDocument({ outgoing }: Services, url: string): Promise<Response> {
  const found = await outgoing(url, {
    headers: { accept: "application/json" },
    maxBytes: KEYS_BYTES,
    seconds: 5,
    redirects: 0,
  });
  const { status, headers } = found;
  const kept = ["cache-control", "expires"].flatMap((name) => [[name, headers.get(name) ?? ""] as const]);
  return new Response(usedPart(found.bytes, url), {
    status,
    headers: kept.filter(([, value]) => value !== "") as [string, string][],
  });
}

/** Of an app's description, the part that is used. What it says about a secret stays: the library then refuses it. */
function usedPart(bytes: Buffer, url: string): Uint8Array<ArrayBuffer> | string {
  const document = parse(bytes);
  if (document?.client_id !== url || bytes.length > limits.appBytes) return new Uint8Array(bytes);
  const { client_secret, token_endpoint_auth_method: method } = document;
  const isSecret = client_secret !== undefined || String(method).startsWith("client_secret");
  return JSON.stringify({ ...usedMetadata(document), ...(isSecret && { client_secret: "" }) });
}

function parse(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
