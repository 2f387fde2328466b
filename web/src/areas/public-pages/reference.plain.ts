import { areas as areaTexts } from "@tandem/contract/areas";
import { alternatives, type JsonSchemaNode } from "@tandem/contract/facts";
import { type Access, isWrite, type Operation, takesForm } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { quotaNames, quotas } from "@tandem/contract/tiers";

/* What developers are told of the API, drawn from the contract when the app is built. */

/** Who may call: in a word that the page has a text for. */
export type Who = "anyone" | "caller" | "session" | "person" | "admin" | "key" | "scope";

export interface OperationTold {
  name: string;
  method: string;
  path: string;
  says: string;
  who: Who;
  scope: string | null;
  writes: boolean;
  streams: boolean;
  /** Whether it takes files, as a form. */
  form: boolean;
}

function whoOf(access: Access): Who {
  if (access.kind !== "session") return access.kind;
  return access.admins ? "admin" : access.agents ? "session" : "person";
}

const tell = (op: Operation): OperationTold => ({
  name: op.name,
  method: op.method,
  path: op.path,
  says: op.description,
  who: whoOf(op.access),
  scope: op.access.kind === "scope" ? op.access.scope : null,
  writes: isWrite(op),
  streams: op.streams,
  form: takesForm(op),
});

/** The operations by their area, in the documents' order. */
export const operationAreas = Object.entries(areaTexts).map(([name, says]) => ({
  name,
  says,
  operations: operationList.filter((op) => op.area === name).map(tell),
}));

/** A window of each quota, in seconds, and what counts in it. */
export const quotaTable = quotaNames.map((name) => ({ name, ...quotas[name] }));

export interface FieldTold {
  name: string;
  /** Where it is sent. */
  where: "path" | "query" | "body" | "file";
  kind: "text" | "number" | "boolean" | "choice" | "json" | "file";
  required: boolean;
  choices: string[];
  says: string;
  example: string;
}

function fieldsIn(where: FieldTold["where"], schema: JsonSchemaNode): FieldTold[] {
  return Object.entries(schema.properties ?? {}).map(([name, facts]) => {
    const options = alternatives(facts).filter(({ type }) => type !== "null");
    const choices = options.flatMap((one) => one.enum ?? []).map(String);
    const example = facts.examples?.[0] ?? options[0]?.examples?.[0];
    return {
      name,
      where,
      kind: kindOf(options, choices),
      required: schema.required?.includes(name) ?? false,
      choices,
      says: facts.description ?? options[0]?.description ?? "",
      example: example == null ? "" : typeof example === "string" ? example : JSON.stringify(example),
    };
  });
}

function kindOf(options: JsonSchemaNode[], choices: string[]): FieldTold["kind"] {
  const types = options.map(({ type }) => type);
  if (choices.length > 0) return types.includes("array") ? "json" : "choice";
  if (types.includes("array") || types.includes("object")) return "json";
  if (types.every((type) => type === "integer" || type === "number")) return "number";
  return types.every((type) => type === "boolean") ? "boolean" : "text";
}

/** What each operation takes, by its name. */
export const fields: Record<string, FieldTold[]> = Object.fromEntries(
  operationList.map((op) => [
    op.name,
    [
      ...fieldsIn("path", op.params as JsonSchemaNode),
      ...fieldsIn("query", op.query as JsonSchemaNode),
      ...fieldsIn("body", op.body as JsonSchemaNode),
      ...Object.entries(op.files).map(
        ([name, { required, description: says }]): FieldTold => ({
          name,
          where: "file",
          kind: "file",
          required,
          choices: [],
          says,
          example: "",
        }),
      ),
    ],
  ]),
);
