import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import type { Operation } from "@tandem/contract/operation";

/** A valid value for a schema: its own example if it has one, else the simplest that fits. */
export function exampleOf(schema: JsonSchemaNode): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  switch (schema.type) {
    case "object":
      return exampleObject(schema);
    case "array":
      return schema.items ? [exampleOf(schema.items)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    default:
      return "text";
  }
}

/** A valid body for the operation; with all fields if none is required. */
export function exampleBody(op: Operation): Record<string, unknown> {
  const example = exampleObject(op.body);
  return Object.keys(example).length > 0 ? example : exampleObject(op.body, () => true);
}

/** The required fields, and the optional ones that have an example. */
function exampleObject(
  schema: JsonSchemaNode,
  isShown = (field: JsonSchemaNode) => field.examples !== undefined,
) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {});
  const included = fields.filter(([name, field]) => required.has(name) || isShown(field));
  return Object.fromEntries(included.map(([name, field]) => [name, exampleOf(field)]));
}
