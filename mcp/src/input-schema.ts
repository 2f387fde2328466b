import { type FileField, fileTypes } from "@tandem/contract/files";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { isWrite, type Operation, takesIdempotencyKey } from "@tandem/contract/operation";
import { type FileAccess, filesTaken, sizeOf } from "./files.ts";
import { type Json, unionOf } from "./schema-utils.ts";

/** Arguments of tools in addition to the operation's input. */
export const KEY_ARGUMENT = "idempotencyKey";
export const DRY_RUN_ARGUMENT = "dryRun";

/** Whether repeating a call by mistake would create a duplicate. */
export function createsDuplicates(op: Operation): boolean {
  return op.effect === "adds" && Object.keys(op.body.properties).length > 0 && takesIdempotencyKey(op);
}

/**
 * The operation's path, query and body fields and files as one object, with short descriptions. Without a key (`hasKey`), there are no
 * fields that need one.
 */
export function inputSchema(op: Operation, access: FileAccess, hasKey = true): Json & { type: "object" } {
  const parts = [op.params, op.query, op.body] as JsonSchemaNode[];
  const required = parts.flatMap((part) => part.required ?? []);
  const fields = Object.fromEntries(
    parts
      .flatMap((part) => Object.entries(part.properties ?? {}))
      .filter(([, field]) => !field["x-no-tool"] && (hasKey || !field["x-needs-caller"]))
      .map(([name, field]) => [name, property(field, op.method === "PATCH")]),
  );
  const files = filesTaken(op, access);
  for (const [name, file] of files) fields[name] = fileArgument(file, access);
  required.push(...files.filter(([, file]) => file.required).map(([name]) => name));
  return {
    type: "object",
    properties: { ...fields, ...toolArguments(op) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function toolArguments(op: Operation): Json {
  return {
    ...(isWrite(op) && op.effect !== "sets" && { [DRY_RUN_ARGUMENT]: { type: "boolean" } }),
    ...(createsDuplicates(op) && { [KEY_ARGUMENT]: { type: "string" } }),
  };
}

/** Shows null only where it differs from leaving the field out, which is where it clears the field. */
function property(field: JsonSchemaNode, clears: boolean): Json {
  const { kinds, nullable } = unionOf(field);
  const [kind = {}] = kinds;
  const types = kinds.map(({ type = "string" }) => type);
  const [first = "string", ...more] = nullable && clears ? [...types, "null"] : types;
  const description = brief(field.description ?? kind.description);
  return {
    type: more.length > 0 ? [first, ...more] : first,
    ...bounds(kind),
    ...(kind.format === "web-address" && { format: "uri" }),
    ...(kind.items && { items: property(kind.items, false) }),
    ...fieldsOf(kind),
    ...(description && { description }),
  };
}

/** The fields of an object. */
function fieldsOf({ properties, required = [] }: JsonSchemaNode): Json {
  if (!properties) return {};
  const fields = Object.entries(properties).map(([name, field]) => [name, property(field, false)]);
  return { properties: Object.fromEntries(fields), ...(required.length > 0 && { required }) };
}

function bounds({ enum: words, maxLength, maximum, minItems, maxItems }: JsonSchemaNode): Json {
  return {
    ...(words && { enum: words }),
    ...(maxLength && { maxLength }),
    ...(minItems && { minItems }),
    ...(maxItems && { maxItems }),
    ...(maximum && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** The first sentence, up to its first semicolon. */
function brief(description: string | undefined): string | undefined {
  return description?.split(/; |\. /)[0]?.replace(/\.$/, "");
}

function fileArgument(file: FileField, { by }: FileAccess): Json {
  const names = file.takes.map((type) => fileTypes[type].extension).join(", ");
  const form = by === "path" ? "Local path" : "Base64";
  const description = `${form}: ${names}; ${sizeOf(file)}`;
  if (file.max === 1) return { type: "string", description };
  // The call as a whole is limited.
  const each = by === "path" ? description : `${description} in all`;
  return { type: "array", maxItems: file.max, items: { type: "string", description: each } };
}
