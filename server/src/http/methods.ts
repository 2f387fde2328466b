import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/** Paths of the contract have `{name}` where the router has `:name`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** Draws a page for who would rather have one. */
export interface PageInstead {
  wanted(request: FastifyRequest): boolean;
  draw(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/**
 * Answers whatever no route takes: 405 with `Allow` where the path is known and the method isn't, and else 404
 * (decisions: every error). Call it before the first route.
 */
export function refuseTheRest(server: FastifyInstance, page: PageInstead): void {
  const known = new Map<string, { pattern: RegExp; allowed: Set<string> }>();
  server.addHook("onRoute", ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), allowed: new Set() };
    for (const one of [method].flat()) path.allowed.add(one);
    known.set(url, path);
  });
  // At once, before anything of the body is read.
  server.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const [path = ""] = request.url.split("?");
    // A path may be one of its own, and fit another's pattern as well.
    const fitting = [...known.values()].filter(({ pattern }) => pattern.test(path));
    const allowed = new Set(fitting.flatMap((one) => [...one.allowed]));
    if (allowed.size > 0) {
      reply.header("allow", [...allowed].join(", "));
      throw new Problem("method_not_allowed");
    }
    if (!page.wanted(request)) throw new Problem("not_found", "There is nothing at this path.");
  });
  server.setNotFoundHandler((request, reply) => page.draw(request, reply));
}

function patternOf(url: string): RegExp {
  const parts = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}
