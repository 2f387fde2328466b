import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Issuer } from "./issuer.ts";

/** An account with a provider. */
export interface ProviderAccount {
  sub: string;
  email: string;
  firstName: string;
  lastName: string;
}

const escaped = (value: string) => value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const hidden = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join("");

const page = (body: string) =>
  `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><body>${body}</body></html>`;

/**
 * Simulates the sign-in pages of Google and Apple: asks for confirmation and redirects back. Refuses invalid requests as the real
 * ones do.
 */
export class ProviderPages {
  /** The account that signs in. */
  person: ProviderAccount;
  readonly #issuer: Issuer;
  readonly #redirects: readonly string[];
  /** Accounts whose name was sent already: Apple sends it only once. */
  readonly #named = new Set<string>();

  constructor(issuer: Issuer, redirects: readonly string[], person: ProviderAccount) {
    this.#issuer = issuer;
    this.#redirects = redirects;
    this.person = person;
    issuer.pages = (request, response) => this.#serve(request, response);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.#issuer.url);
    const params = Object.fromEntries(
      request.method === "POST" ? new URLSearchParams(await text(request)) : searchParams,
    );
    const fault = this.#faultIn(pathname, params);
    if (fault !== null) return void response.writeHead(400, { "content-type": "text/plain" }).end(fault);
    if (pathname === "/o/oauth2/v2/auth" && request.method === "POST") {
      const fragment = new URLSearchParams({ ...(await this.#fragment(params)), authuser: "0" });
      return void response.writeHead(302, { location: `${params.redirect_uri}#${fragment}` }).end();
    }
    const body = pathname === "/auth/authorize" ? await this.#ofApple(params) : this.#ofGoogle(params);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page(body));
  }

  #faultIn(
    path: string,
    { client_id, redirect_uri = "", response_mode, scope = "" }: Record<string, string>,
  ) {
    if (client_id !== this.#issuer.clientId) return "invalid_client";
    if (!this.#redirects.includes(redirect_uri)) return "invalid redirect_uri";
    if (path === "/auth/authorize" && scope !== "" && response_mode !== "form_post")
      return "response_mode must be form_post when name or email scope is requested";
    return null;
  }

  /** A form that posts to the provider, which redirects back. */
  #ofGoogle(params: Record<string, string>): string {
    return `<form method="post" action="/o/oauth2/v2/auth">${hidden(params)}<button>Continue</button></form>`;
  }

  /** Two forms that post to the client: Apple's response, or a cancellation. */
  async #ofApple(params: Record<string, string>): Promise<string> {
    const { redirect_uri = "", state = "", scope = "" } = params;
    const { sub, email, firstName, lastName } = this.person;
    const user = JSON.stringify({ name: { firstName, lastName }, email });
    const first = scope.includes("name") && !this.#named.has(sub);
    this.#named.add(sub);
    const response = { ...(await this.#fragment(params)), code: "c0de", ...(first && { user }) };
    const form = (values: Record<string, string>, says: string) =>
      `<form method="post" action="${escaped(redirect_uri)}">${hidden(values)}<button>${says}</button></form>`;
    return form(response, "Continue") + form({ state, error: "user_cancelled_authorize" }, "Cancel");
  }

  async #fragment({ nonce = "", state = "", scope = "" }: Record<string, string>) {
    const { sub, email, firstName, lastName } = this.person;
    const apple = { email_verified: "true", is_private_email: "true", nonce_supported: true };
    const google = { email_verified: true, name: `${firstName} ${lastName}` };
    const about = scope.includes("openid") ? google : apple;
    return { id_token: await this.#issuer.token({ sub, email, nonce, ...about }), state };
  }
}
