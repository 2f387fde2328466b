import { createHash, randomBytes } from "node:crypto";
import type { Person } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

/** What an app sends to the OAuth endpoints, and a person's part in it. Every step can be done wrong. */

export const REDIRECT = "https://app.example/done";

type Fields = Record<string, string>;

export interface OAuthAnswer {
  status: number;
  headers: Headers;
  // Untyped, because tests of invalid input inspect responses that no type describes.
  body: Record<string, unknown>;
}

/** Registers an app and returns its client id. */
export async function registerApp(baseUrl: string, metadata: object = {}): Promise<string> {
  const answer = await register(baseUrl, metadata);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(answer.body.client_id);
}

export function register(baseUrl: string, metadata: object): Promise<OAuthAnswer> {
  const body = JSON.stringify({ client_name: "Loom reader", redirect_uris: [REDIRECT], ...metadata });
  return send(`${baseUrl}/oauth/register`, { body, headers: { "content-type": "application/json" } });
}

export function post(baseUrl: string, endpoint: string, fields: Fields): Promise<OAuthAnswer> {
  return send(`${baseUrl}/oauth/${endpoint}`, { body: new URLSearchParams(fields) });
}

async function send(url: string, init: RequestInit): Promise<OAuthAnswer> {
  const response = await fetch(url, { method: "POST", ...init });
  const text = await response.text();
  const type = response.headers.get("content-type");
  if (text !== "" && !type?.startsWith("application/json"))
    throw new Error(`${type} instead of JSON: ${text}`);
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
}

/** A request that an app has begun in a browser. */
export interface Begun {
  clientId: string;
  /** The id on the consent page. */
  request: string;
  /** The cookie that ties it to the browser. */
  cookie: string;
  verifier: string;
}

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The address to which an app sends someone. */
export function authorizeUrl(baseUrl: string, clientId: string, fields: Fields = {}): string {
  const all = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge_method: "S256",
    state: "a state",
    scope: "posts:write comments:write",
    ...fields,
  };
  const given = Object.entries(all).filter(([, value]) => value !== "");
  return `${baseUrl}/oauth/authorize?${new URLSearchParams(given)}`;
}

/** Calls the authorization endpoint, without following its redirect. */
export function authorize(baseUrl: string, clientId: string, fields: Fields = {}): Promise<Response> {
  return fetch(authorizeUrl(baseUrl, clientId, fields), { redirect: "manual" });
}

/** What a request leads to: the consent page, an error that the app is told, or one that only the person sees. */
export async function outcomeOf(baseUrl: string, clientId: string, fields: Fields = {}): Promise<string> {
  const challenge = { code_challenge: challengeOf("v".repeat(43)) };
  const response = await authorize(baseUrl, clientId, { ...challenge, ...fields });
  const location = response.headers.get("location");
  if (location === null) return `${response.status} ${(await response.json()).error}`;
  const { origin, pathname, search, hash } = new URL(location, baseUrl);
  if (origin === baseUrl) return pathname.replace(/[\w-]{43}$/, "…");
  const told = new URLSearchParams(search || hash.slice(1));
  return `${origin} ${told.get("error")} ${told.get("iss") === baseUrl ? "iss" : ""}`;
}

export async function begin(baseUrl: string, clientId: string, fields: Fields = {}): Promise<Begun> {
  const verifier = randomBytes(32).toString("base64url");
  const response = await authorize(baseUrl, clientId, { code_challenge: challengeOf(verifier), ...fields });
  const request = /^\/connect\/([\w-]+)$/.exec(response.headers.get("location") ?? "")?.[1];
  if (response.status !== 303 || request === undefined)
    throw new Error(`${response.status} ${response.headers.get("location")} ${await response.text()}`);
  const cookie = response.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { clientId, request, cookie: cookie.join("; "), verifier };
}

/** Continues after someone has answered, in the browser of `person`; returns where the browser is sent. */
export async function resume(baseUrl: string, { request, cookie }: Begun, person: Person): Promise<URL> {
  const own = new Headers(person.options.headers as Record<string, string>).get("cookie");
  const response = await fetch(`${baseUrl}/oauth/authorize/${request}`, {
    redirect: "manual",
    headers: { cookie: [cookie, own].filter(Boolean).join("; ") },
  });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  return new URL(location);
}

/** Authorizes the app and returns its code. */
export async function approve(
  { baseUrl }: Pick<Tandem, "baseUrl">,
  person: Person,
  begun: Begun,
  choice: { scopes?: string; agentId?: number; username?: string } = {},
): Promise<{ code: string; keyId: number }> {
  const { key } = await person.approveAuthorizationRequest({ request: begun.request, ...choice });
  const url = await resume(baseUrl, begun, person);
  return { code: url.searchParams.get("code") ?? "", keyId: key.id };
}

export function redeem(
  baseUrl: string,
  { clientId, verifier }: Begun,
  code: string,
  fields: Fields = {},
): Promise<OAuthAnswer> {
  const all = { grant_type: "authorization_code", client_id: clientId, redirect_uri: REDIRECT };
  return post(baseUrl, "token", { ...all, code, code_verifier: verifier, ...fields });
}

export function refresh(baseUrl: string, clientId: string, token: string): Promise<OAuthAnswer> {
  return post(baseUrl, "token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token });
}

/** An app that a person has authorized, with its tokens. */
export async function connectedApp(
  tandem: Pick<Tandem, "baseUrl">,
  person: Person,
  choice: { agentId?: number } = {},
) {
  const clientId = await registerApp(tandem.baseUrl);
  const begun = await begin(tandem.baseUrl, clientId);
  const { code, keyId } = await approve(tandem, person, begun, choice);
  const { body } = await redeem(tandem.baseUrl, begun, code);
  return {
    clientId,
    keyId,
    code,
    begun,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
  };
}
