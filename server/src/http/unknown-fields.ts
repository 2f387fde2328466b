import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import type { Operation } from "@tandem/contract/operation";
import { LONGEST_NAME, shownFields, unknownField, unknownName } from "@tandem/contract/unknown-fields";
import type { TSchema } from "typebox";
import { type ApiError, invalid } from "./api-error.ts";
import type { FieldErrors } from "./field-errors.ts";
import { KEY_PREFIX } from "./key-format.ts";
import { hasKey } from "./key-in-address.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Refuses what an operation doesn't take, so that nothing that a client sent is lost silently. */
export interface UnknownFields {
  checkQuery(query: Fields, errors: FieldErrors): void;
  checkBody(body: Fields, errors: FieldErrors): void;
  /** Checks the name of a form's part without a file. */
  checkText(name: string): void;
  /** The error for a form's file under this name. */
  notAFile(name: string): ApiError;
  /** The fields of a body that the operation doesn't change, and that must be sent as its resource shows them. */
  fixedIn(body: Fields): Fields;
}

/** The value of `dryRun`, which every operation takes; reads change nothing anyway. */
export function isDryRun(value: unknown): boolean {
  if (value === undefined || value === "0") return false;
  if (value === "1") return true;
  throw invalid("dryRun", "dryRun must be 1 or 0.");
}

/** Names are looked up in sets; messages and what the resource shows are only computed for a name that isn't found. */
export const unknownFieldsOf = memoizePerInstance((op: Operation): UnknownFields => {
  const inBody = new Set(Object.keys(op.body.properties));
  // Some clients can't send a body with DELETE, so the query may carry its fields.
  const inQuery = new Set([
    "dryRun",
    ...Object.keys(op.query.properties),
    ...(op.method === "DELETE" ? inBody : []),
  ]);
  const nested = nestedFieldsOf(op);
  let shown: ReturnType<typeof shownFields> | undefined;
  const isReadOnly = (name: string) => {
    shown ??= shownFields(op);
    return shown.readOnly.has(name);
  };
  const isFixed = (name: string) => {
    shown ??= shownFields(op);
    return shown.fixed.has(name);
  };
  return {
    checkQuery(query, errors) {
      for (const sent of Object.keys(query)) {
        if (errors.isFull) return;
        // Answers don't repeat keys.
        const name = hasKey(sent) ? `${KEY_PREFIX}…` : sent;
        if (!inQuery.has(name) && !name.startsWith("_"))
          errors.add(shortened(name), unknownField(op, "parameter", name));
      }
      errors.collect(() => isDryRun(query.dryRun));
    },
    checkBody(body, errors) {
      for (const name of Object.keys(body)) {
        if (errors.isFull) return;
        if (!inBody.has(name) && !isReadOnly(name) && !isFixed(name))
          errors.add(shortened(name), unknownField(op, "field", name));
      }
      for (const [name, takes] of nested) checkNested(name, takes, body[name], errors);
    },
    checkText(name) {
      if (!inBody.has(name) && !isReadOnly(name))
        throw invalid(shortened(name), unknownField(op, "field", name));
    },
    notAFile(name) {
      const field = shortened(name);
      if (inBody.has(name)) return invalid(field, `${name} is text: send it without a file name.`);
      const takes = Object.keys(op.files);
      return invalid(field, unknownName("There is no file field", name, { what: "The form", takes }));
    },
    fixedIn(body) {
      const fixed: Record<string, unknown> = {};
      for (const name of Object.keys(body)) if (!inBody.has(name) && isFixed(name)) fixed[name] = body[name];
      return fixed;
    },
  };
});

function shortened(name: string): string {
  return name.slice(0, LONGEST_NAME);
}

/** The names that each field takes that is an object. */
function nestedFieldsOf({ body }: Operation): [name: string, takes: string[]][] {
  return Object.entries(body.properties).flatMap(([name, schema]) => {
    const object = alternatives(schema as TSchema & JsonSchemaNode).find(({ properties }) => properties);
    return object?.properties ? [[name, Object.keys(object.properties)]] : [];
  });
}

function checkNested(field: string, takes: string[], value: unknown, errors: FieldErrors): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const other = Object.keys(value).find((name) => !takes.includes(name));
  if (other === undefined) return;
  errors.add(field, unknownName(`\`${field}\` has no field`, other, { what: `\`${field}\``, takes }));
}
