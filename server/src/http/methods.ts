import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { noSuchPath } from "./no-such-path.ts";

/** Converts the contract's `{name}` to the router's `:name`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/**
 * Makes routes for GET answer HEAD, too, unless they have `exposeHeadRoute: false`; Node.js leaves out the body. Call before routes are
 * added. Fastify can add a second route for each instead, but then a service takes longer to start.
 */
export function answerHeadLikeGet(server: FastifyInstance): void {
  server.addHook("onRoute", (route) => {
    if (route.method === "GET" && route.exposeHeadRoute !== false) route.method = ["GET", "HEAD"];
  });
}

/** Renders an HTML page for clients that prefer one. */
export interface PageInstead {
  isWanted(request: FastifyRequest): boolean;
  render(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/**
 * Responds to unmatched requests: 405 with `Allow` if the path exists with another method, otherwise 404. Register it before
 * the first route.
 */
export function handleUnmatched(server: FastifyInstance, page: PageInstead): void {
  const routes = new Map<string, Set<string>>();
  server.addHook("onRoute", ({ url, method }) => {
    const allowed = routes.get(url) ?? new Set();
    for (const each of [method].flat()) allowed.add(each);
    routes.set(url, allowed);
  });
  /** Made for the first such request, to keep start-up fast. */
  let patterns: { pattern: RegExp; allowed: Set<string> }[] | undefined;
  // Before the body is read.
  server.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const [path = ""] = request.url.split("?");
    patterns ??= [...routes].map(([url, allowed]) => ({ pattern: patternOf(url), allowed }));
    // A path may match several patterns.
    const matching = patterns.filter(({ pattern }) => pattern.test(path));
    const allowed = new Set(matching.flatMap((route) => [...route.allowed]));
    if (allowed.size > 0) {
      reply.header("allow", [...allowed].join(", "));
      throw new ApiError("method_not_allowed");
    }
    if (isOfApi(path) || !page.isWanted(request)) throw noSuchPath(request.method, request.url);
  });
  server.setNotFoundHandler((request, reply) => page.render(request, reply));
}

/** Only programs call these paths, even if they accept pages. */
function isOfApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function patternOf(url: string): RegExp {
  const parts = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}
