import type { JsonSchemaNode } from "@tandem/contract/facts";
import { limits } from "@tandem/contract/limits";
import { isTagged, isWrite, type Operation, takesIdempotencyKey } from "@tandem/contract/operation";
import { flag } from "@tandem/contract/schema";
import { exampleOf } from "./examples.ts";
import { takesBody } from "./refusals.ts";
import { inWords, type Json, type Schemas } from "./schemas.ts";

/** Parameters that many operations take, described once. */
export const parameterComponents = {
  dryRun: {
    name: "dryRun",
    in: "query",
    description:
      "1: the call is judged and carried out, then undone. The answer is what it would have been, with `dryRun: true` beside it; ids and secrets in it are good for nothing. It is refused where the real call would be, for lack of quota too, and draws on no quota. 0 is as good as leaving it out.",
    schema: { ...flag() },
  },
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `A word of the caller's choice that makes repeating safe: for ${limits.idempotencyHours} hours, the same call under the same key is carried out once and answered alike. Bare or in double quotes.`,
    schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKey },
    example: '"3f6c1c1e-9d5b-4c4e-8f0e-2b7a1d9c5e10"',
  },
  ifNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of an answer at hand: if nothing has changed since, the new answer is 304 and empty.",
    schema: { type: "string" },
  },
  lastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The id of the last event that came, as clients of such streams send it by themselves.",
    schema: { type: "integer", minimum: 0 },
    example: 41,
  },
} satisfies Record<string, Json>;

/** All that an operation takes besides a body. */
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

/** Not every client can send a body with DELETE, so the query may say the same. */
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
      schema: wordless(field, schemas),
    };
    // An optional filter with an example is one that readers' tools would fill in unasked.
    return required ? { ...parameter, example: exampleOf(field) } : parameter;
  });
}

function fieldsInsteadOfBody(body: JsonSchemaNode, schemas: Schemas): Json[] {
  return fieldsIn("query", { properties: body.properties ?? {} }, schemas).map(
    ({ description, ...parameter }) => ({
      ...parameter,
      ...described([description, "Where no body is sent."].filter(Boolean).join(" ")),
    }),
  );
}

/** The description stands beside the schema, so not in it again. */
function wordless(field: JsonSchemaNode, schemas: Schemas): Json {
  const { description, ...schema } = schemas.show(field);
  return schema;
}

function described(description: string): Json {
  return description === "" ? {} : { description };
}
