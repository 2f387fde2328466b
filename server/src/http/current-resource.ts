import { namedResources, readersOf } from "@tandem/contract/named-resources";
import type { Operation } from "@tandem/contract/operation";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Fields, isFields } from "./fixed-fields.ts";
import { inProcessFetch } from "./in-process-fetch.ts";

/** Pages of a list that are searched for a resource. */
const MAX_PAGES = 5;

/** What a write works on, as its caller can read it now. Empty if it can't be found. */
export async function readCurrent(
  server: FastifyInstance,
  request: FastifyRequest,
  op: Operation,
  input: Fields,
): Promise<Fields[]> {
  const found: Fields[] = [];
  for (const named of namedResources(op)) {
    const id = input[named.param ?? "id"];
    for (const reader of readersOf(named)) found.push(...(await search(server, request, reader, id)));
  }
  return found;
}

async function search(
  server: FastifyInstance,
  request: FastifyRequest,
  reader: Operation,
  id: unknown,
): Promise<Fields[]> {
  const { authorization, cookie } = request.headers;
  const headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) };
  const isMember = reader.path.endsWith("}");
  const takes = (name: string) => Object.hasOwn(reader.query.properties, name);
  const query = new URLSearchParams(takes("mine") ? { mine: "1" } : {});
  const path = reader.path.replace(/\{\w+\}$/, encodeURIComponent(String(id)));
  if (path.includes("{")) return [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await inProcessFetch(server, request)(`http://localhost${path}?${query}`, { headers });
    if (!response.ok) return [];
    const body: Fields = (await response.json()) as Fields;
    const resources = Object.values(body).flat().filter(isFields);
    const found = isMember ? resources : resources.filter((resource) => resource.id === id);
    if (found.length > 0 || isMember || body.nextCursor == null || !takes("cursor")) return found;
    query.set("cursor", String(body.nextCursor));
  }
  return [];
}
