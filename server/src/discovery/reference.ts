import { type Area, areaNames, areas } from "@tandem/contract/areas";
import { areaPath, documents, TOOLS_PATH } from "@tandem/contract/documents";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { type Operation, takesForm, takesJson } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { ErrorBody } from "@tandem/contract/resources";
import type { LimitTable } from "@tandem/contract/tiers";
import { about, errorShape } from "./about.ts";
import { curl } from "./curl.ts";
import { errorCodesByStatus } from "./error-codes.ts";
import { fieldList, typeOf } from "./fields.ts";
import { codeBlock, codeSpan, markdownList } from "./markdown.ts";
import { oauthSection } from "./oauth.ts";
import { bodyMayBeQuery, parameterComponents } from "./parameters.ts";
import { fileInWords, quotaInWords } from "./paths.ts";
import { EXAMPLE_BASE_URL, recordedExamples } from "./recorded-examples.ts";
import { accessInWords } from "./security.ts";

/** The full reference for developers: every operation with its input, response, errors and an example. */
export function reference(baseUrl: string, limits: LimitTable): string {
  const parts = [
    `# Tandem: the full reference`,
    `The API is at ${baseUrl}. OpenAPI document: ${baseUrl}${documents.openApi}. Summary: ${baseUrl}${documents.summary}. Policy for agents: ${baseUrl}${documents.markdownPolicy}. Tools for MCP clients (Streamable HTTP, with the key as Bearer token): ${baseUrl}${TOOLS_PATH}.`,
    about(limits),
    "## How to read this reference",
    markdownList([
      `Types are in TypeScript notation. Resources, such as \`Post\`, are described at the end. The same by area: ${areaNames.map((area) => `${baseUrl}${areaPath(area)}`).join(", ")}.`,
      `Every write also takes \`dryRun\`. ${parameterComponents.dryRun.description}`,
      `Every write that requires a credential also takes the header \`Idempotency-Key\`. ${parameterComponents.idempotencyKey.description}`,
      "In addition to the errors listed, every operation can return 500 `internal`.",
      "Every example is a real call with its real response. `TANDEM_API_KEY` contains a key, `TANDEM_PASSWORD` a password; `session.cookies` is curl's cookie file with a person's session.",
    ]),
    ...oauthSection(baseUrl),
    ...Object.entries(areas).flatMap(([area, description]) => [
      `## ${area}`,
      description,
      ...inArea(area).map((op) => describe(op, baseUrl)),
    ]),
    ...resourcesOf([...operationList.map(({ response }) => response), ErrorBody]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The operations of one area, for those who need no more. */
export function areaReference(area: Area, baseUrl: string): string {
  const operations = inArea(area);
  const parts = [
    `# Tandem: ${area}`,
    `${areas[area]} The API is at ${baseUrl}. Send your key as \`Authorization: Bearer\`; without one, see ${baseUrl}${documents.summary}. Errors have the shape ${errorShape}; \`docs\` explains the code. Every write also takes \`dryRun=1\` and, with a credential, the header \`Idempotency-Key\`. What applies everywhere, and all areas: ${baseUrl}${documents.reference}.`,
    ...operations.map((op) => describe(op, baseUrl)),
    ...resourcesOf(operations.map(({ response }) => response)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The resources that schemas contain, with a heading; nothing if there are none. */
function resourcesOf(schemas: JsonSchemaNode[]): string[] {
  const resources = new Map<string, JsonSchemaNode>();
  for (const schema of schemas) collectResources(schema, resources);
  if (resources.size === 0) return [];
  return ["## Resources", ...[...resources].map(([name, schema]) => resource(name, schema))];
}

function inArea(area: string): Operation[] {
  return operationList.filter((op) => op.area === area);
}

function describe(op: Operation, baseUrl: string): string {
  const parts = [
    `### ${op.name}`,
    `\`${op.method} ${op.path}\``,
    [op.description, accessInWords(op), quotaInWords(op)].filter(Boolean).join(" "),
    ...fields("Path", op.params),
    ...fields("Query", op.query),
    ...fields(bodyTitle(op), op.body),
    ...files(op),
    `Returns ${responseInWords(op)}.`,
    `Errors: ${errorsOf(op)}.`,
    example(op, baseUrl),
  ];
  return parts.join("\n\n");
}

function fields(title: string, schema: JsonSchemaNode): string[] {
  if (Object.keys(schema.properties ?? {}).length === 0) return [];
  return [`${title}:\n${fieldList(schema, true)}`];
}

function bodyTitle(op: Operation): string {
  const forms = [takesJson(op) && "JSON", takesForm(op) && "a form"].filter(Boolean).join(" or ");
  return `Body, as ${forms}${bodyMayBeQuery(op) ? "; or as query parameters" : ""}`;
}

function files(op: Operation): string[] {
  const list = Object.entries(op.files).map(
    ([name, file]) => `\`${name}\`: ${file.required ? "required. " : ""}${fileInWords(file)}`,
  );
  return list.length > 0 ? [`Files, in a form (\`multipart/form-data\`):\n${markdownList(list)}`] : [];
}

function errorsOf(op: Operation): string {
  return errorCodesByStatus(op)
    .map(([status, codes]) => `${status} ${codes.map((code) => `\`${code}\``).join(" ")}`)
    .join(", ");
}

function example(op: Operation, baseUrl: string): string {
  const recorded = recordedExamples.get(op.name);
  if (!recorded) return "";
  const response = recorded.response.replaceAll(EXAMPLE_BASE_URL, baseUrl);
  return `${codeBlock(curl(op, recorded.values, baseUrl), "sh")}\n\n${codeBlock(response, op.redirects || op.streams ? "text" : "json")}`;
}

function responseInWords(op: Operation): string {
  if (op.redirects) return "a redirect (302) to the URL in `Location`";
  const holds = codeSpan(typeOf(op.response));
  return op.streams
    ? `a stream (\`text/event-stream\`) of events, with this data by event name: ${holds}`
    : holds;
}

function resource(name: string, schema: JsonSchemaNode): string {
  return [`### ${name}`, schema.description, fieldList(schema, false)].filter(Boolean).join("\n\n");
}

/** Collects schemas that have a name, in the order of their first use; a schema comes before its parts. */
function collectResources(schema: JsonSchemaNode, found: Map<string, JsonSchemaNode>): void {
  if (schema.$id && found.has(schema.$id)) return;
  if (schema.$id) found.set(schema.$id, schema);
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  for (const part of schema.items ? [...parts, schema.items] : parts) collectResources(part, found);
}
