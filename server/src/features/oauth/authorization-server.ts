import type { RequestListener } from "node:http";
import { oauthPaths } from "@tandem/contract/oauth";
import type { Response as Injected, InjectOptions, inject } from "light-my-request";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { addressAttempt, countAttempt } from "../accounts/throttle.ts";
import { checkMetadata, registeredMetadata, usedMetadata } from "./client-metadata.ts";
import { endAccess, UsedTwice } from "./end-grant.ts";
import { jsonObject } from "./json-object.ts";
import { OAuthError } from "./oauth-error.ts";
import { type Endpoint, preparedForm } from "./parameters.ts";
import { pollsTooOften } from "./polls.ts";
import { type RequestState, requestState, withState } from "./request-changes.ts";

/** A request to one of the authorization server's endpoints. */
export interface OAuthRequest {
  endpoint: Endpoint;
  /** The id of the request to resume. */
  id?: string;
  /** Without the question mark. */
  query: string;
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
  return serverOf(services).handle(prepared(services, request));
}

const serverOf = memoizePerInstance((services: Services) => new AuthorizationServer(services));

async function countRequest(services: Services, { endpoint, address }: OAuthRequest): Promise<void> {
  const ctx = { services, now: services.now() };
  const attempt =
    endpoint === "registration"
      ? addressAttempt("registrations", address, "appRegistrationsPerAddress")
      : addressAttempt("requests", address, "appRequestsPerAddress");
  if (attempt.counters.length > 0) await services.storage.write((tx) => countAttempt(ctx, tx, attempt));
}

/** Leaves out what this server doesn't know, such as scopes of other servers, and what apps say about themselves. */
function prepared({ baseUrl }: Services, request: OAuthRequest): OAuthRequest {
  const { endpoint, query, body } = request;
  switch (endpoint) {
    case "authorization":
      return { ...request, query: preparedForm(baseUrl, endpoint, query) };
    case "device_authorization":
    case "token":
      return { ...request, body: Buffer.from(preparedForm(baseUrl, endpoint, body?.toString() ?? "")) };
    case "registration":
      return { ...request, body: body && registration(baseUrl, body) };
    default:
      return request;
  }
}

function registration(baseUrl: string, body: Buffer): Buffer {
  const metadata = jsonObject(body);
  if (metadata === null) return body;
  checkMetadata(metadata, baseUrl, { isRegistration: true });
  const { client_id: _, ...used } = usedMetadata(metadata, baseUrl);
  return Buffer.from(JSON.stringify(used));
}

class AuthorizationServer {
  readonly #services: Services;
  #loading: Promise<{ inject: typeof inject; listener: RequestListener }> | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  async handle(request: OAuthRequest): Promise<OAuthResponse> {
    this.#loading ??= this.#load().catch((error) => {
      // The next request tries again.
      this.#loading = undefined;
      throw error;
    });
    const { inject, listener } = await this.#loading;
    const state: RequestState = { address: request.address, changes: [], keyId: null, failure: null };
    const response = await withState(state, () => inject(listener, injected(this.#services, request)));
    if (state.failure) throw state.failure;
    if (response.statusCode < 400) await this.#commit(state);
    else this.#slowDown(request, response);
    return {
      status: response.statusCode,
      headers: headersOf(response),
      body: bodyOf(request, response),
      keyId: state.keyId,
    };
  }

  async #commit({ changes, address }: RequestState): Promise<void> {
    if (changes.length === 0) return;
    try {
      await this.#services.storage.write(async (tx) => {
        for (const change of changes) await change(tx);
      });
    } catch (error) {
      if (error instanceof UsedTwice && error.grantId !== null)
        await endAccess(this.#services, error.grantId, { reason: "used twice", address });
      throw error;
    }
  }

  #slowDown({ endpoint, body }: OAuthRequest, response: Injected): void {
    if (endpoint !== "token" || jsonObject(response.rawPayload)?.error !== "authorization_pending") return;
    const deviceCode = new URLSearchParams(body?.toString()).get("device_code") ?? "";
    if (pollsTooOften(this.#services, deviceCode))
      throw new OAuthError("slow_down", "Wait five seconds longer between two requests.");
  }

  async #load() {
    const [{ inject }, { createProvider }] = await quietly(() =>
      Promise.all([import("light-my-request"), import("./provider.ts")]),
    );
    const provider = createProvider(this.#services);
    provider.on("server_error", (_ctx, error) => {
      requestState().failure ??= error;
    });
    provider.on("grant.success", ({ oidc }) => {
      requestState().keyId = oidc.entities.AccessToken?.grantId ?? null;
    });
    provider.on("grant.revoked", (_ctx, grantId) => {
      requestState().keyId = grantId;
    });
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

function injected({ baseUrl }: Services, request: OAuthRequest): InjectOptions {
  const { endpoint, id, query, contentType, authorization, cookie, body, address } = request;
  const { protocol, host } = new URL(baseUrl);
  const isOpened = endpoint === "authorization" || endpoint === "resume";
  const path = endpoint === "resume" ? `${oauthPaths.authorization}/${id}` : oauthPaths[endpoint];
  return {
    method: isOpened ? "GET" : "POST",
    url: query === "" ? path : `${path}?${query}`,
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
  };
}

/** The library's description of a new app has what concerns OpenID Connect, too. */
function bodyOf({ endpoint }: OAuthRequest, { statusCode, rawPayload }: Injected): Buffer {
  const registered = endpoint === "registration" && statusCode === 201 ? jsonObject(rawPayload) : null;
  return registered ? Buffer.from(JSON.stringify(registeredMetadata(registered))) : rawPayload;
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
