import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { limits } from "@tandem/contract/limits";
import { isTagged, isWrite, type Operation, takesIdempotencyKey } from "@tandem/contract/operation";
import { flag } from "@tandem/contract/schema";
import { takesBody } from "./error-codes.ts";
import { exampleOf } from "./examples.ts";
import { inWords, type Json, type Schemas } from "./schemas.ts";

/** Parameters that many operations take, described once. */
export const parameterComponents = {
  dryRun: {
    name: "dryRun",
    in: "query",
    description:
      "With 1, the call is validated and executed, then rolled back. The response is what the real call would have returned, with an additional `dryRun: true`; ids and secrets in it are placeholders. It fails where the real call would, even for lack of quota, but counts only against a quota of its own, 60 dry runs a minute by default. 0 means the same as leaving it out.",
    schema: { ...flag() },
  },
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `A string of your choice that makes retrying safe: for ${limits.idempotencyHours} hours, the same call with the same key is executed once and gets the same response. Bare or in double quotes.`,
    schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKey },
    example: '"3f6c1c1e-9d5b-4c4e-8f0e-2b7a1d9c5e10"',
  },
  ifNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of a cached response. If nothing has changed since, the response is an empty 304.",
    schema: { type: "string" },
  },
  lastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description:
      "The id of the last event received. Event stream clients send it automatically when they reconnect.",
    schema: { type: "integer", minimum: 0 },
    example: 41,
  },
} satisfies Record<string, Json>;

/** The path, query and header parameters of an operation. */
export function parametersOf(op: Operation, schemas: Schemas): Json[] {
  const common: (keyof typeof parameterComponents)[] = [];
  if (isWrite(op)) common.push("dryRun");
  if (takesIdempotencyKey(op)) common.push("idempotencyKey");
  if (isTagged(op)) common.push("ifNoneMatch");
  if (op.streams) common.push("lastEventId");
  return [
    ...fieldsIn("path", op.params, schemas),
    ...fieldsIn("query", op.query, schemas),
    ...(bodyMayBeQuery(op) ? fieldsInsteadOfBody(op.body, schemas) : []),
    ...common.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** Not every client can send a body with DELETE, so its fields are also accepted in the query. */
export function bodyMayBeQuery(op: Operation): boolean {
  return op.method === "DELETE" && takesBody(op);
}

function fieldsIn(place: "path" | "query", fields: JsonSchemaNode, schemas: Schemas): Json[] {
  return Object.entries(fields.properties ?? {}).map(([name, field]) => {
    const required = fields.required?.includes(name) ?? false;
    const parameter = {
      name,
      in: place,
      required,
      ...described(inWords(field)),
      schema: withoutDescription(field, schemas),
    };
    // No example for optional filters: tools that read the document would send it by default.
    return required ? { ...parameter, example: exampleOf(field) } : parameter;
  });
}

function fieldsInsteadOfBody(body: JsonSchemaNode, schemas: Schemas): Json[] {
  return fieldsIn("query", { properties: body.properties ?? {} }, schemas).map(
    ({ description, ...parameter }) => ({
      ...parameter,
      ...described([description, "Only without a body."].filter(Boolean).join(" ")),
    }),
  );
}

/** Without the description, which the parameter itself has. */
function withoutDescription(field: JsonSchemaNode, schemas: Schemas): Json {
  const { description, ...schema } = schemas.show(field);
  return schema;
}

function described(description: string): Json {
  return description === "" ? {} : { description };
}
