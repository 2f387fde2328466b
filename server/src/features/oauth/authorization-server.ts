import type { IncomingMessage, RequestListener } from "node:http";
import { oauthPaths } from "@tandem/contract/oauth";
import type { Response as Injected, inject } from "light-my-request";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { addressAttempt, countAttempt } from "../accounts/throttle.ts";
import { checkRedirects, usedMetadata } from "./client-metadata.ts";
import type { OAuthError } from "./oauth-error.ts";
import { normalizeScope } from "./scopes.ts";

/** A request to one of the authorization server's endpoints. */
export interface OAuthRequest {
  method: "GET" | "POST";
  /** With the query. */
  path: string;
  contentType: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
  body: Buffer | null;
  /** The client's IP address. */
  address: string;
}

export interface OAuthResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The key of the grant for which tokens were issued or which was ended; null if it isn't known. */
  keyId: string | null;
}

/** Handles a request with the protocol's library, which is loaded for the first one. Throws {@link OAuthError} and `ApiError`. */
export async function handleOAuth(services: Services, request: OAuthRequest): Promise<OAuthResponse> {
  await countRequest(services, request);
  return serverOf(services).handle(await prepared(request));
}

const serverOf = memoizePerInstance((services: Services) => new AuthorizationServer(services));

async function countRequest(services: Services, { path, address }: OAuthRequest): Promise<void> {
  const ctx = { services, now: services.now() };
  const isNew = path === oauthPaths.registration;
  const attempt = isNew
    ? addressAttempt("registrations", address, "appRegistrationsPerAddress")
    : addressAttempt("requests", address, "appRequestsPerAddress");
  if (attempt.counters.length > 0) await services.storage.write((tx) => countAttempt(ctx, tx, attempt));
}

/** Leaves out what this server doesn't know: scopes of other servers, and what apps say about themselves. */
async function prepared(request: OAuthRequest): Promise<OAuthRequest> {
  const { path, body } = request;
  switch (path.split("?")[0]) {
    case oauthPaths.authorization:
      return { ...request, path: `${oauthPaths.authorization}?${withScope(path.split("?")[1] ?? "")}` };
    case oauthPaths.device_authorization:
      return { ...request, body: Buffer.from(withScope(body?.toString() ?? "")) };
    case oauthPaths.registration:
      return { ...request, body: body && registration(body) };
    default:
      return request;
  }
}

function withScope(form: string): string {
  const params = new URLSearchParams(form);
  // The library refuses parameters that are repeated.
  if (params.getAll("scope").length < 2) params.set("scope", normalizeScope(params.get("scope")));
  return params.toString();
}

function registration(body: Buffer): Buffer {
  let given: unknown;
  try {
    given = JSON.parse(body.toString());
  } catch {
    return body;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return body;
  const metadata = given as Record<string, unknown>;
  checkRedirects(metadata);
  const { client_id: _, ...used } = usedMetadata(metadata);
  return Buffer.from(JSON.stringify(used));
}

class AuthorizationServer {
  readonly #services: Services;
  readonly #failures = new WeakMap<IncomingMessage, Error>();
  readonly #grants = new WeakMap<IncomingMessage, string>();
  #loading: Promise<{ inject: typeof inject; listener: RequestListener }> | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  async handle(request: OAuthRequest): Promise<OAuthResponse> {
    const { protocol, host } = new URL(this.#services.baseUrl);
    this.#loading ??= this.#load().catch((error) => {
      // The next request tries again.
      this.#loading = undefined;
      throw error;
    });
    const { inject, listener } = await this.#loading;
    const { method, path, contentType, authorization, cookie, body, address } = request;
    const response = await inject(listener, {
      method,
      url: path,
      headers: {
        host,
        "x-forwarded-proto": protocol.replace(":", ""),
        accept: "application/json",
        ...(contentType && { "content-type": contentType }),
        ...(authorization && { authorization }),
        ...(cookie && { cookie }),
      },
      remoteAddress: address,
      ...(body && { payload: body }),
    });
    const { req } = response.raw;
    const failure = this.#failures.get(req);
    if (failure) throw failure;
    return {
      status: response.statusCode,
      headers: headersOf(response),
      body: response.rawPayload,
      keyId: this.#grants.get(req) ?? null,
    };
  }

  async #load() {
    const [{ inject }, { createProvider }] = await quietly(() =>
      Promise.all([import("light-my-request"), import("./provider.ts")]),
    );
    const provider = createProvider(this.#services);
    provider.on("server_error", ({ req }, error) => this.#failures.set(req, error));
    provider.on("grant.success", ({ req, oidc }) => {
      const { grantId } = oidc.entities.AccessToken ?? {};
      if (grantId !== undefined) this.#grants.set(req, grantId);
    });
    provider.on("grant.revoked", ({ req }, grantId) => this.#grants.set(req, grantId));
    return { inject, listener: provider.callback() };
  }
}

/** The library warns on the console, not in the log, of every Node.js that isn't a long-term release yet. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...line: unknown[]) => {
    if (!String(line[0]).startsWith("oidc-provider")) warn(...line);
  };
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}

const KEPT = ["content-type", "cache-control", "location", "www-authenticate"];

/** Of the cookies, only the one that ties a request to the browser that it began in. */
function headersOf({ headers }: Injected): Record<string, string> {
  const kept = KEPT.flatMap((name) => [[name, headers[name]] as const]);
  const cookie = [headers["set-cookie"]]
    .flat()
    .find((one) => String(one).startsWith("tandem_authorization="));
  return Object.fromEntries(
    [...kept, ["set-cookie", cookie] as const].flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
