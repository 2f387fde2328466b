import { areas as areaTexts } from "@tandem/contract/areas";
import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import { type Access, isWrite, type Operation, takesForm } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { quotaNames, quotas } from "@tandem/contract/tiers";

/* The API reference, derived from the contract at build time. */

/** Who may call an operation. The page has a text for each. */
export type Caller = "anyone" | "caller" | "session" | "person" | "admin" | "key" | "scope";

export interface OperationInfo {
  name: string;
  method: string;
  path: string;
  description: string;
  caller: Caller;
  scope: string | null;
  writes: boolean;
  streams: boolean;
  /** Whether it takes files, as multipart form data. */
  form: boolean;
}

function callerOf(access: Access): Caller {
  if (access.kind !== "session") return access.kind;
  return access.admins ? "admin" : access.agents ? "session" : "person";
}

const operationInfo = (op: Operation): OperationInfo => ({
  name: op.name,
  method: op.method,
  path: op.path,
  description: op.description,
  caller: callerOf(op.access),
  scope: op.access.kind === "scope" ? op.access.scope : null,
  writes: isWrite(op),
  streams: op.streams,
  form: takesForm(op),
});

/** The operations by area, in the order of the documentation. */
export const operationAreas = Object.entries(areaTexts).map(([name, description]) => ({
  name,
  description,
  operations: operationList.filter((op) => op.area === name).map(operationInfo),
}));

/** Each quota's window in seconds, and what counts towards it. */
export const quotaTable = quotaNames.map((name) => ({ name, ...quotas[name] }));

export interface FieldInfo {
  name: string;
  /** Where the field is sent. */
  where: "path" | "query" | "body" | "file";
  kind: "text" | "number" | "boolean" | "choice" | "json" | "file";
  required: boolean;
  choices: string[];
  description: string;
  example: string;
}

function fieldsIn(where: FieldInfo["where"], schema: JsonSchemaNode): FieldInfo[] {
  return Object.entries(schema.properties ?? {}).map(([name, node]) => {
    const options = alternatives(node).filter(({ type }) => type !== "null");
    const choices = options.flatMap((option) => option.enum ?? []).map(String);
    const example = node.examples?.[0] ?? options[0]?.examples?.[0];
    return {
      name,
      where,
      kind: kindOf(options, choices),
      required: schema.required?.includes(name) ?? false,
      choices,
      description: node.description ?? options[0]?.description ?? "",
      example: example == null ? "" : typeof example === "string" ? example : JSON.stringify(example),
    };
  });
}

function kindOf(options: JsonSchemaNode[], choices: string[]): FieldInfo["kind"] {
  const types = options.map(({ type }) => type);
  if (choices.length > 0) return types.includes("array") ? "json" : "choice";
  if (types.includes("array") || types.includes("object")) return "json";
  if (types.every((type) => type === "integer" || type === "number")) return "number";
  return types.every((type) => type === "boolean") ? "boolean" : "text";
}

/** The fields of each operation, by its name. */
export const fields: Record<string, FieldInfo[]> = Object.fromEntries(
  operationList.map((op) => [
    op.name,
    [
      ...fieldsIn("path", op.params as JsonSchemaNode),
      ...fieldsIn("query", op.query as JsonSchemaNode),
      ...fieldsIn("body", op.body as JsonSchemaNode),
      ...Object.entries(op.files).map(
        ([name, { required, description }]): FieldInfo => ({
          name,
          where: "file",
          kind: "file",
          required,
          choices: [],
          description,
          example: "",
        }),
      ),
    ],
  ]),
);
