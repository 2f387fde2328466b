import type { JsonSchemaNode } from "@tandem/contract/facts";
import type { Operation } from "@tandem/contract/operation";

/** A value that a schema allows: its own example if it has one, else the plainest that fits. */
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

/** A body that the operation takes; where nothing is required, with all that it could hold. */
export function exampleBody(op: Operation): Record<string, unknown> {
  const example = exampleObject(op.body);
  return Object.keys(example).length > 0 ? example : exampleObject(op.body, () => true);
}

/** What is required, and of the rest what has an example of its own. */
function exampleObject(
  schema: JsonSchemaNode,
  shows = (field: JsonSchemaNode) => field.examples !== undefined,
) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {});
  const shown = fields.filter(([name, field]) => required.has(name) || shows(field));
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field)]));
}
