import { documents, VERSION } from "@tandem/contract/documents";
import { type Operation, takesForm, takesJson } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import type { LimitTable } from "@tandem/contract/tiers";
import { tagline } from "./about.ts";
import { openApiOf } from "./openapi.ts";
import type { Json } from "./schemas.ts";

/** What GPTs accept: https://platform.openai.com/docs/actions. */
export const actionLimits = { operations: 30, description: 300, parameter: 700 };

/** The operations that have a tool of their own and need no file, which GPTs can't send. */
const offered = operationList.filter((op) => op.exposure === "tool" && (takesJson(op) || !takesForm(op)));

/**
 * The OpenAPI document for GPT Actions: few operations, short descriptions, JSON alone, and of the responses only the successful
 * ones. Whatever writes asks the user first.
 */
export function gptActions(baseUrl: string, limits: LimitTable): Json {
  const { openapi, servers, paths, components } = openApiOf(offered, baseUrl, limits) as Record<string, Json>;
  const { securitySchemes, schemas } = components as Record<string, Json>;
  const operations = new Map(offered.map((op) => [op.name, op]));
  return {
    openapi,
    info: {
      title: "Tandem",
      version: VERSION,
      description: `${tagline} Policy for agents: ${baseUrl}${documents.policy}.`,
    },
    servers,
    paths: mapValues(paths as Record<string, Json>, (methods) =>
      mapValues(methods as Record<string, Json>, (described) =>
        asAction(described, operations.get(String(described.operationId)) as Operation),
      ),
    ),
    components: { securitySchemes: { apiKey: securitySchemes?.apiKey }, schemas },
  };
}

function asAction(described: Json, op: Operation): Json {
  const { operationId, summary, parameters, requestBody, responses } = described as Record<string, Json>;
  const success = (responses as Record<string, Json>)["200"];
  return {
    operationId,
    summary,
    description: shorten(op.description, actionLimits.description),
    "x-openai-isConsequential": op.effect !== "reads",
    security: [{ apiKey: [] }],
    parameters: (parameters as unknown as Json[]).filter((one) => "name" in one).map(parameter),
    ...(requestBody && { requestBody: jsonBody(requestBody) }),
    responses: { 200: { description: "Success.", content: success?.content } },
  };
}

function parameter({ description, ...rest }: Json): Json {
  return description === undefined
    ? rest
    : { ...rest, description: shorten(String(description), actionLimits.parameter) };
}

function jsonBody({ content, ...rest }: Json): Json {
  return { ...rest, content: { "application/json": (content as Json)["application/json"] } };
}

/** Ends after a whole sentence, if one fits. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(0, most).lastIndexOf(". ");
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, most - 1)}…`;
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
