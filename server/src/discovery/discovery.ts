import type { FastifyInstance } from "fastify";
import type { House } from "../http/house.ts";
import { openApi } from "./openapi.ts";

/** How machines find out what the service can do (spec: Machine discovery). */
export function mountDiscovery(server: FastifyInstance, house: House): void {
  let document: string | undefined;
  server.get("/api/openapi.json", async (_request, reply) => {
    document ??= JSON.stringify(openApi(house.baseUrl, house.config.limits));
    return reply.type("application/json; charset=utf-8").send(document);
  });
}
