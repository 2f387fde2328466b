import type { FastifyInstance } from "fastify";
import { JsonText } from "../http/context.ts";
import { sendJson } from "../http/etag.ts";
import type { House } from "../http/house.ts";
import { openApi } from "./openapi.ts";

const PATH = "/api/openapi.json";

/** How machines find out what the service can do (spec: Machine discovery). */
export function mountDiscovery(server: FastifyInstance, house: House): void {
  // Only when the service listens is its address known, so the document is built when first asked for.
  let document: JsonText | undefined;
  server.get(PATH, async (request, reply) => {
    document ??= new JsonText([Buffer.from(JSON.stringify(openApi(house.baseUrl, house.config.limits)))]);
    return sendJson(request, reply, document);
  });
}
