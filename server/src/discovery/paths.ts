import { type FileField, fileTypes } from "@tandem/contract/files";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import {
  type Operation,
  summaryOf,
  takesForm,
  takesIdempotencyKey,
  takesJson,
} from "@tandem/contract/operation";
import { takesBody } from "./error-codes.ts";
import { exampleBody } from "./examples.ts";
import { bodyMayBeQuery, parametersOf } from "./parameters.ts";
import { allowancesOfNewKey } from "./quotas.ts";
import type { Responses } from "./responses.ts";
import type { Json, Schemas } from "./schemas.ts";
import { accessInWords, securityOf } from "./security.ts";

/** The operations by path and method. */
export function pathsOf(operations: Operation[], schemas: Schemas, responses: Responses): Json {
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    paths[op.path] = { ...paths[op.path], [op.method.toLowerCase()]: describe(op, schemas, responses) };
  }
  return paths;
}

function describe(op: Operation, schemas: Schemas, responses: Responses): Json {
  return {
    operationId: op.name,
    tags: [op.area],
    summary: summaryOf(op),
    description: [op.description, accessInWords(op), quotaInWords(op)].filter(Boolean).join(" "),
    security: securityOf(op.access),
    parameters: parametersOf(op, schemas),
    ...(takesBody(op) && { requestBody: requestBody(op, schemas) }),
    responses: responses.of(op),
  };
}

export function quotaInWords(op: Operation): string {
  if (!takesIdempotencyKey(op)) return "";
  const names = allowancesOfNewKey(op).map(({ name }) => `\`${name}\``);
  return `Counts against the ${names.length > 1 ? "quotas" : "quota"} ${names.join(" and ")}.`;
}

function requestBody(op: Operation, schemas: Schemas): Json {
  const body: JsonSchemaNode = op.body;
  const needsFile = takesForm(op) && !takesJson(op);
  const inQuery = bodyMayBeQuery(op);
  return {
    ...(inQuery && {
      description: "The fields can also be sent in the query.",
    }),
    required: needsFile || (!inQuery && (body.required ?? []).length > 0),
    content: {
      ...(takesJson(op) && { "application/json": { schema: schemas.show(body), example: exampleBody(op) } }),
      ...(takesForm(op) && { "multipart/form-data": form(op, schemas.show(body)) }),
    },
  };
}

/** The body's fields and the files as a form. Lists are sent as repeated fields or as JSON. */
function form(op: Operation, body: Json): Json {
  const files = Object.entries(op.files);
  const needed = files.filter(([, { required }]) => required).map(([name]) => name);
  const required = [...((body.required as string[] | undefined) ?? []), ...needed];
  const properties = {
    ...(body.properties as Json | undefined),
    ...Object.fromEntries(files.map(([name, file]) => [name, fileSchema(file)])),
  };
  const encoding = files.map(([name, { takes }]) => [
    name,
    { contentType: takes.map((type) => fileTypes[type].mime).join(", ") },
  ]);
  return {
    schema: { type: "object", ...(required.length > 0 && { required }), properties },
    encoding: Object.fromEntries(encoding),
  };
}

function fileSchema(file: FileField): Json {
  const one = { type: "string", contentMediaType: "application/octet-stream" };
  const { max } = file;
  return {
    ...(max === 1 ? one : { type: "array", items: one, maxItems: max }),
    description: fileInWords(file),
  };
}

export function fileInWords({ description, takes, bytes, max }: FileField): string {
  const types = takes.map((type) => fileTypes[type].extension).join(", ");
  const each = max === 1 ? "" : ` Repeat the field for several, at most ${max}.`;
  return `${description} ${types}, detected from the content; up to ${bytes / 2 ** 20} MiB.${each}`;
}
