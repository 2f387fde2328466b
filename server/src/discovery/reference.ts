import { areas } from "@tandem/contract/areas";
import { documents, TOOLS_PATH } from "@tandem/contract/documents";
import type { JsonSchemaNode } from "@tandem/contract/facts";
import { type Operation, takesForm, takesJson } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { ErrorBody } from "@tandem/contract/resources";
import type { LimitTable } from "@tandem/contract/tiers";
import { about } from "./about.ts";
import { curl } from "./curl.ts";
import { fieldList, typeOf } from "./fields.ts";
import { codeBlock, codeSpan, markdownList } from "./markdown.ts";
import { bodyMayBeQuery, parameterComponents } from "./parameters.ts";
import { fileInWords, quotaInWords } from "./paths.ts";
import { refusalsByStatus } from "./refusals.ts";
import { RUN_AT, runs } from "./runs.ts";
import { accessInWords } from "./security.ts";

/** All that there is to know, for whoever builds on it: every operation with all that it takes, answers and refuses. */
export function reference(baseUrl: string, limits: LimitTable): string {
  const resources = new Map<string, JsonSchemaNode>();
  for (const { answer } of operationList) collectResources(answer, resources);
  collectResources(ErrorBody as JsonSchemaNode, resources);
  const parts = [
    `# Tandem: the full reference`,
    `The API is at ${baseUrl}. The same for machines: ${baseUrl}${documents.openApi}. In short: ${baseUrl}${documents.summary}. What agents may do: ${baseUrl}${documents.markdownPolicy}. As tools for MCP clients (Streamable HTTP, the key as Bearer): ${baseUrl}${TOOLS_PATH}.`,
    about(limits),
    "## How to read what follows",
    markdownList([
      "Types are in TypeScript's notation; resources, such as `Post`, stand at the end.",
      `Every write also takes \`dryRun\`. ${parameterComponents.dryRun.description}`,
      `Every write of a signed-in caller also takes the header \`Idempotency-Key\`. ${parameterComponents.idempotencyKey.description}`,
      "Beside the errors that an operation lists, any can answer 500 `internal`.",
      "Every example was run, and this is what it answered. `TANDEM_API_KEY` holds a key; `session.cookies` is curl's file for a person's session.",
    ]),
    ...Object.entries(areas).flatMap(([area, description]) => [
      `## ${area}`,
      description,
      ...inArea(area).map((op) => describe(op, baseUrl)),
    ]),
    "## Resources",
    ...[...resources].map(([name, schema]) => resource(name, schema)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function inArea(area: string): Operation[] {
  return operationList.filter((op) => op.area === area);
}

function describe(op: Operation, baseUrl: string): string {
  const parts = [
    `### ${op.name}`,
    `\`${op.method} ${op.path}\``,
    [op.description, accessInWords(op.access), quotaInWords(op)].filter(Boolean).join(" "),
    ...fields("Path", op.params),
    ...fields("Query", op.query),
    ...fields(bodyTitle(op), op.body),
    ...files(op),
    `Answers ${answerInWords(op)}.`,
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
  return `Body, as ${forms}${bodyMayBeQuery(op) ? "; or the same in the query" : ""}`;
}

function files(op: Operation): string[] {
  const list = Object.entries(op.files).map(
    ([name, file]) => `\`${name}\`: ${file.required ? "required. " : ""}${fileInWords(file)}`,
  );
  return list.length > 0 ? [`Files, in a form (\`multipart/form-data\`):\n${markdownList(list)}`] : [];
}

function errorsOf(op: Operation): string {
  return refusalsByStatus(op)
    .map(([status, codes]) => `${status} ${codes.map((code) => `\`${code}\``).join(" ")}`)
    .join(", ");
}

function example(op: Operation, baseUrl: string): string {
  const run = runs.get(op.name);
  if (!run) return "";
  const answer = run.answer.replaceAll(RUN_AT, baseUrl);
  return `${codeBlock(curl(op, run.values, baseUrl), "sh")}\n\n${codeBlock(answer, op.redirects || op.streams ? "text" : "json")}`;
}

function answerInWords(op: Operation): string {
  if (op.redirects) return "302, to the address in `Location`";
  const holds = codeSpan(typeOf(op.answer));
  return op.streams
    ? `a stream (\`text/event-stream\`) of events by these names, with as data: ${holds}`
    : holds;
}

function resource(name: string, schema: JsonSchemaNode): string {
  return [`### ${name}`, schema.description, fieldList(schema, false)].filter(Boolean).join("\n\n");
}

/** What has a name, in the order in which it is met; what it is made of comes after it. */
function collectResources(schema: JsonSchemaNode, found: Map<string, JsonSchemaNode>): void {
  if (schema.$id && found.has(schema.$id)) return;
  if (schema.$id) found.set(schema.$id, schema);
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  for (const part of schema.items ? [...parts, schema.items] : parts) collectResources(part, found);
}
