import {
  Client,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { DEVICE_GRANT, grantTypes } from "@tandem/contract/oauth";
import type { Person } from "@tandem/testing/callers";
import { type Begun, REDIRECT, resume } from "@tandem/testing/oauth";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/* The flow as programs by others run it: what they discover, send and check is up to them. */

let tandem: Tandem;
let ada: Person;
beforeAll(async () => {
  tandem = await startTandem();
  ada = await tandem.as.human();
});
afterAll(() => tandem.stop());

/** What a browser does with the address that an app opens, and what Ada does there. */
async function answer(url: URL | string, scopes?: string): Promise<URL> {
  const response = await fetch(url, { redirect: "manual" });
  const request = response.headers.get("location")?.split("/").at(-1) ?? "";
  const [cookie = ""] = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  await ada.approveAuthorizationRequest({ request, ...(scopes !== undefined && { scopes }) });
  return resume(tandem.baseUrl, { request, cookie } as Begun, ada);
}

/** The least that the SDKs ask of an app: it remembers what it is given. */
class App {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: "Loom", redirect_uris: [REDIRECT] };
  readonly #kept: { client?: StoredOAuthClientInformation; tokens?: StoredOAuthTokens; verifier?: string } =
    {};
  opened: URL | null = null;

  clientInformation = () => this.#kept.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.#kept.client = client;
  };
  tokens = () => this.#kept.tokens;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.#kept.tokens = tokens;
  };
  codeVerifier = () => String(this.#kept.verifier);
  saveCodeVerifier = (verifier: string) => {
    this.#kept.verifier = verifier;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
}

describe.each(["current", "previous"] as const)("the %s MCP SDK", (sdk) => {
  const open = async (app: App) => {
    const url = new URL(`${tandem.baseUrl}/mcp?login`);
    if (sdk === "current") {
      const client = new Client({ name: "loom", version: "1" });
      const transport = new StreamableHTTPClientTransport(url, { authProvider: app });
      return { client, transport, connect: () => client.connect(transport) };
    }
    const client = new OlderClient({ name: "loom", version: "1" });
    const transport = new OlderTransport(url, { authProvider: app });
    return { client, transport, connect: () => client.connect(transport as never) };
  };

  test("connects by itself, renews its token, and asks for a scope that it lacks", async () => {
    const app = new App();
    const first = await open(app);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    const done = await answer(app.opened ?? "", "posts:write");
    await (sdk === "current"
      ? (first.transport as StreamableHTTPClientTransport).finishAuth(done.searchParams)
      : (first.transport as OlderTransport).finishAuth(done.searchParams.get("code") ?? ""));
    const { client, connect } = await open(app);
    await connect();
    const created = await client.callTool({ name: "tandem_create_post", arguments: { title: `By ${sdk}` } });
    expect(created.isError).toBeFalsy();

    // Its access token ends; the client gets another with its refresh token.
    const before = app.tokens();
    await tandem.storage.write((tx) =>
      tx.updateTable("keys").set({ token_expires_at: 1 }).where("client_id", "is not", null).execute(),
    );
    expect((await client.callTool({ name: "tandem_me", arguments: {} })).isError).toBeFalsy();
    expect(app.tokens()?.refresh_token).not.toBe(before?.refresh_token);

    // Ada left this scope out. The current SDK asks again; the previous one only tries another token.
    app.opened = null as URL | null;
    await expect(client.callTool({ name: "tandem_like_post", arguments: { id: 1 } })).rejects.toThrow();
    if (sdk === "current") expect(app.opened?.searchParams.get("scope")).toContain("engagement:write");
    await client.close();
  });
});

describe("oauth4webapi", () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  let server: oauth.AuthorizationServer;
  let client: oauth.Client;
  beforeAll(async () => {
    const resource = new URL(`${tandem.baseUrl}/mcp?login`);
    const found = await oauth.resourceDiscoveryRequest(resource, insecure);
    const described = await oauth.processResourceDiscoveryResponse(resource, found);
    const issuer = new URL(String(described.authorization_servers?.[0]));
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    server = await oauth.processDiscoveryResponse(issuer, discovered);
    const metadata = {
      client_name: "Independent",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: [...grantTypes],
    };
    const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
    client = await oauth.processDynamicClientRegistrationResponse(registered);
  });

  test("gets a code, tokens for a resource, new ones, and revokes them", async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(String(server.authorization_endpoint));
    url.search = String(
      new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        response_type: "code",
        scope: "posts:write",
        state,
        resource: `${tandem.baseUrl}/mcp?login`,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }),
    );
    // Also checks `iss`, which the server's metadata announces.
    const params = oauth.validateAuthResponse(server, client, await answer(url), state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      params,
      REDIRECT,
      verifier,
      { ...insecure, additionalParameters: { resource: `${tandem.baseUrl}/mcp?login` } },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    const api = new URL(`${tandem.baseUrl}/api/auth/me`);
    const called = await oauth.protectedResourceRequest(
      tokens.access_token,
      "GET",
      api,
      undefined,
      null,
      insecure,
    );
    expect(called.status).toBe(200);
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        String(tokens.refresh_token),
        insecure,
      ),
    );
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.access_token, insecure),
    );
    const ended = tandem.as.bearer(renewed.access_token);
    expect((await ended.call("me")).status).toBe(401);
  });

  test("waits for a code that someone enters", async () => {
    const response = await oauth.deviceAuthorizationRequest(
      server,
      client,
      oauth.None(),
      { scope: "posts:write" },
      insecure,
    );
    const device = await oauth.processDeviceAuthorizationResponse(server, client, response);
    const poll = () =>
      oauth.deviceCodeGrantRequest(server, client, oauth.None(), device.device_code, insecure);
    const early = oauth.processDeviceCodeResponse(server, client, await poll());
    await expect(early).rejects.toMatchObject({ error: "authorization_pending" });
    await ada.approveAuthorizationRequest({ request: device.user_code });
    const tokens = await oauth.processDeviceCodeResponse(server, client, await poll());
    expect((await tandem.as.bearer(tokens.access_token).me()).user.username).toBe(ada.user.username);
  });

  test("signs as an app with a key of its own", async () => {
    const { publicKey, privateKey } = await oauth.generateKeyPair("ES256", { extractable: true });
    const { crv = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
    const key = { kty: "EC", crv, x, y, kid: "one", alg: "ES256" };
    const registered = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        redirect_uris: [],
        grant_types: [DEVICE_GRANT],
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [key] },
      },
      insecure,
    );
    const keyed = await oauth.processDynamicClientRegistrationResponse(registered);
    const ask = (auth: oauth.ClientAuth) =>
      oauth.deviceAuthorizationRequest(server, keyed, auth, {}, insecure);
    expect((await ask(oauth.None())).status).toBe(401);
    const signed = await ask(oauth.PrivateKeyJwt({ key: privateKey, kid: "one" }));
    await oauth.processDeviceAuthorizationResponse(server, keyed, signed);
  });
});
