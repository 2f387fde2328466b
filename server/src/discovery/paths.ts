import type { Operation } from "@tandem/contract/operation";
import { exampleBody } from "./examples.ts";
import { bodyMayBeQuery, parametersOf } from "./parameters.ts";
import { drawnBy } from "./quotas.ts";
import { isKnownWrite, takesBody } from "./refusals.ts";
import type { Responses } from "./responses.ts";
import type { Facts, Json, Schemas } from "./schemas.ts";
import { accessInWords, securityOf } from "./security.ts";

/** Every operation under its path and method. */
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
    summary: firstSentence(op.says),
    description: [op.says, accessInWords(op.access), quotaInWords(op)].filter(Boolean).join(" "),
    security: securityOf(op.access),
    parameters: parametersOf(op, schemas),
    ...(takesBody(op) && { requestBody: requestBody(op, schemas) }),
    responses: responses.of(op),
  };
}

function firstSentence(says: string): string {
  return /^.+?(?=[.;](\s|$))/.exec(says)?.[0] ?? says;
}

function quotaInWords(op: Operation): string {
  if (!isKnownWrite(op)) return "";
  const names = drawnBy(op).map(({ name }) => `\`${name}\``);
  return `Draws on the ${names.length > 1 ? "quotas" : "quota"} ${names.join(" and ")}.`;
}

function requestBody(op: Operation, schemas: Schemas): Json {
  const body: Facts = op.body;
  const inQuery = bodyMayBeQuery(op);
  return {
    ...(inQuery && {
      description: "The query may say the same instead; if there is a body, it alone counts.",
    }),
    required: !inQuery && (body.required ?? []).length > 0,
    content: { "application/json": { schema: schemas.show(body), example: exampleBody(op) } },
  };
}
