import type { Operation } from "@tandem/contract/operation";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { Problem } from "./problem.ts";

const methods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

/** Answers 405 with `Allow` where a path is known and the method isn't (decisions: every error). */
export function refuseOtherMethods(
  server: FastifyInstance,
  operations: Pick<Operation, "path" | "method">[],
): void {
  const known = new Map<string, Set<HTTPMethods>>();
  for (const { path, method } of operations) {
    const allowed = known.get(path) ?? new Set();
    known.set(path, allowed.add(method));
    if (method === "GET") allowed.add("HEAD");
  }
  for (const [path, allowed] of known) {
    server.route({
      method: methods.filter((method) => !allowed.has(method)),
      url: path.replace(/\{(\w+)\}/g, ":$1"),
      handler: (_request, reply) => {
        reply.header("allow", [...allowed].join(", "));
        throw new Problem("method_not_allowed");
      },
    });
  }
}
