import { createHash } from "node:crypto";
import { access } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { earlyPresses } from "@tandem/web/shared/early-presses";
import { pages } from "@tandem/web/shared/paths";
import type { Rendered, Renderer } from "@tandem/web/shared/rendering";
import { parseCookie } from "cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { HTML } from "../discovery/send.ts";
import { ApiError } from "../http/api-error.ts";
import { Content } from "../http/content.ts";
import { sessionOf } from "../http/credential.ts";
import { sendContent, sendTagged, varyBy } from "../http/etag.ts";
import { inProcessFetch } from "../http/in-process-fetch.ts";
import type { Cost } from "../http/overload.ts";
import type { Services } from "../http/services.ts";
import { PageCache } from "./page-cache.ts";

/** Where the build puts the web app. */
export const built = fileURLToPath(new URL("../../../web/dist/", import.meta.url));

/** Renders the page of a request's URL on the server. */
export type Draw = (request: FastifyRequest, reply: FastifyReply, links?: string) => Promise<FastifyReply>;

export interface Web {
  draw: Draw;
  /** The page for readers whose request is refused because the service is busy; null until the first page has been rendered. */
  drawBusy(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
  costOf(request: FastifyRequest): Cost;
}

/** A page that is the same for all strangers with the same language and choices. */
interface SharedPage {
  content: Content;
}

/**
 * Serves the web app. Pages are rendered on the server by the same code that runs in the browser, and include their data,
 * so that the first view needs no script and hydration no further requests. Pages get their data from the API, with the
 * reader's cookie and the same checks as any client.
 */
export function webOf(server: FastifyInstance, services: Services): Web {
  let loading: Promise<Renderer> | undefined;
  let renderer: Renderer | undefined;
  const policy = policyOf(services);
  const busy = new Map<string, Promise<string>>();
  const cache = new PageCache<SharedPage>(services.config.pageCache);
  const freshness = services.config.pageCache / 1000;
  const render = async (request: FastifyRequest, reply: FastifyReply, cookies: Cookies, links: string) => {
    loading ??= loadRenderer();
    renderer = await loading;
    const cookie = Object.keys(cookies).length > 0 ? request.headers.cookie : undefined;
    return renderer.render({
      // What begins with two slashes would be read as another host's.
      path: request.url.replace(/^\/+/, "/"),
      baseUrl: services.baseUrl,
      fetch: asReader(server, request, reply, cookie),
      hasCredential: cookie !== undefined,
      acceptLanguage: request.headers["accept-language"] ?? "",
      cookies,
      links,
    });
  };
  /** Null for pages that depend on more than the URL, the language and the reader's choices. */
  const keyOf = ({ url, headers }: FastifyRequest, cookies: Cookies): string | null => {
    if (!renderer || !cache.isOn || isPersonal(cookies)) return null;
    const acceptLanguage = headers["accept-language"] ?? "";
    return JSON.stringify([url, renderer.localeOf({ cookies, acceptLanguage }), Object.entries(cookies)]);
  };
  return {
    costOf(request) {
      const key = keyOf(request, cookiesOf(request));
      return key !== null && cache.has(key) ? "cheap" : "dear";
    },
    async drawBusy(request, reply) {
      if (!renderer) return null;
      const reader = {
        cookies: cookiesOf(request),
        acceptLanguage: request.headers["accept-language"] ?? "",
      };
      const { tandem_theme: theme } = reader.cookies;
      const key = `${renderer.localeOf(reader)} ${theme === "light" || theme === "dark" ? theme : ""}`;
      const page = busy.get(key) ?? renderer.renderBusy(reader);
      busy.set(key, page);
      // Its texts are a file, which may be missing now and there later.
      page.catch(() => busy.delete(key));
      const html = await page;
      reply.headers({ ...headers, "content-security-policy": policy });
      return html;
    },
    async draw(request, reply, links = "") {
      const cookies = cookiesOf(request);
      const key = keyOf(request, cookies);
      reply.headers({ ...headers, "content-security-policy": policy });
      varyBy(reply, "Accept, Accept-Language, Cookie");
      if (key === null) return send(request, reply, await render(request, reply, cookies, links));
      let own: Rendered | undefined;
      const { page, age } = await cache.share(key, async () => {
        own = await render(request, reply, cookies, links);
        return own.status === 200 && !reply.hasHeader("set-cookie")
          ? { content: new Content([Buffer.from(own.html)], "thorough") }
          : null;
      });
      if (!page) return send(request, reply, own ?? (await render(request, reply, cookies, links)));
      // Browsers ask each time. What a shared cache stores is never older than what is sent from here.
      reply.headers({ "cache-control": `public, max-age=0, s-maxage=${freshness}`, age: String(age) });
      return sendTagged(request, reply, page.content);
    },
  };
}

type Cookies = Record<string, string | undefined>;

/** The app's own cookies, sorted: pages depend on no others. */
function cookiesOf({ headers: { cookie } }: FastifyRequest): Cookies {
  if (cookie === undefined) return {};
  const own = Object.entries(parseCookie(cookie)).filter(([name]) => name.startsWith("tandem_"));
  return Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isPersonal(cookies: Cookies): boolean {
  const { token, handle } = sessionOf(cookies);
  return token !== null || handle !== null;
}

/** Loads the renderer. Without a built web app, only the API is served. */
async function loadRenderer(): Promise<Renderer> {
  const path = `${built}server/server.js`;
  await access(path).catch(() => {
    throw new ApiError("not_found", "The web app isn't built. Run `npm run build`.");
  });
  return new Promise((resolve, reject) => {
    // React keeps an error that it creates while it loads, and V8 keeps, with that error's stack, every function that awaits
    // the import: here the first request's, and so the whole first service. A plain callback isn't part of the stack.
    import(pathToFileURL(path).href).then((loaded) => resolve(loaded), reject);
  });
}

/** Calls the API with the reader's credentials, and passes cookies that it sets on to the page's response. */
function asReader(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: string | undefined,
): typeof fetch {
  const call = inProcessFetch(server, request);
  const agent = request.headers["user-agent"];
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (cookie !== undefined) headers.set("cookie", cookie);
    if (agent !== undefined) headers.set("user-agent", agent);
    const response = await call(input, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
    return response;
  };
}

const hashOf = (script: string): string => createHash("sha256").update(script).digest("base64");

/**
 * The content security policy: only the app's own files and its one inline script, no inline styles, no framing by others. Live
 * streams may come from the configured URL. Pictures of other hosts come through this server; their videos and audio play in frames
 * with policies of their own (`player.ts`).
 */
const policyOf = ({ config: { liveUrl } }: Services): string => {
  const streams = liveUrl === null ? "" : ` ${new URL(liveUrl).origin}`;
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hashOf(earlyPresses)}'`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob:${streams}`,
    `connect-src 'self'${streams}`,
    "frame-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
};

const headers = {
  "content-type": HTML,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // What the app never uses: not even a script that got in could ask for it.
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "cache-control": "private, no-cache",
};

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, html, location }: Rendered,
): FastifyReply {
  reply.code(status);
  if (location !== undefined) reply.header("location", location);
  const content = new Content([Buffer.from(html)], "fast");
  return status === 200 ? sendTagged(request, reply, content) : sendContent(request, reply, content);
}

/** Characters of an `Accept` header: browsers send fewer, and examining thousands would cost more than a refusal may. */
const LONGEST_ACCEPT = 1000;

/** Whether the client prefers HTML to JSON, as browsers do. */
export function wantsPage({ method, headers, raw }: FastifyRequest): boolean {
  const { accept = "" } = headers;
  return (
    (method === "GET" || method === "HEAD") &&
    accept.length <= LONGEST_ACCEPT &&
    accept.includes("text/html") &&
    new Negotiator(raw).mediaType(["application/json", "text/html"]) === "text/html"
  );
}

/** Paths of the app's pages without another form, in the router's syntax. */
export function pagesOfApp(others: readonly string[]): string[] {
  const paths = pages.map(({ path }) => path.replaceAll("$", ":"));
  return paths.filter((path) => !others.includes(path));
}
