import type { ErrorCode } from "@tandem/contract/errors";
import type { Operation } from "@tandem/contract/operation";
import { Ajv } from "ajv";
import Type, { type TObject, type TSchema } from "typebox";
import type { Caller } from "./caller.ts";
import { complaint } from "./complaint.ts";
import { formats } from "./formats.ts";
import { onceFor } from "./once-for.ts";
import { Problem } from "./problem.ts";

// JSON can say 1e400, which JavaScript reads as Infinity: no number that any field takes.
const ajv = new Ajv({ strict: false, strictNumbers: true, formats, verbose: true });

/** Compiled when a field is first sent: to compile all of them would double the time that the service takes to start. */
const validatorOf = onceFor((schema: TSchema) => ajv.compile(schema));

interface Field {
  name: string;
  required: boolean;
  schema: TSchema;
  code: ErrorCode;
  needsCaller: boolean;
}

/** The three places where an operation's input comes from, as they arrived. */
export interface RawInput {
  params: Record<string, string>;
  /** The part of the address after the `?`, not yet decoded. */
  query: string;
  /** Null where no body came. */
  body: Record<string, unknown> | null;
}

export interface Shape {
  judge(raw: RawInput, caller: Caller | null): Record<string, unknown>;
}

/**
 * Compiles an operation's judge of path, query and body, in that order and field by field, so that the error
 * names the first offender (decisions: order, step 4). It passes on what the contract declares and nothing else.
 */
export const shapeOf = onceFor((op: Operation): Shape => {
  const [params, query, body] = [op.params, op.query, op.body].map(fieldsOf) as [Field[], Field[], Field[]];
  // A client may be unable to send a body with DELETE: the query says what the body doesn't.
  const bodyInQuery = op.method === "DELETE";
  return {
    judge(raw, caller) {
      const input: Record<string, unknown> = {};
      pick(params, fromText(raw.params), input);
      const queried = parseQuery(raw.query);
      judgeFlags(query, queried, caller);
      pick(query, fromText(queried), input);
      const inBody = fromJson(raw.body ?? {});
      const inQuery = bodyInQuery ? fromText(queried) : nowhere;
      pick(
        body,
        (field) => (Object.hasOwn(raw.body ?? {}, field.name) ? inBody(field) : inQuery(field)),
        input,
      );
      return input;
    },
  };
});

function fieldsOf(schema: TObject): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => {
    const annotations = property as { "x-code"?: ErrorCode; "x-needs-caller"?: true };
    return {
      name,
      required: required.has(name),
      schema: property,
      code: annotations["x-code"] ?? "invalid_input",
      needsCaller: annotations["x-needs-caller"] ?? false,
    };
  });
}

type Source = (field: Field) => unknown;

function pick(fields: Field[], source: Source, into: Record<string, unknown>): void {
  for (const field of fields) {
    const value = source(field);
    if (value === undefined) {
      if (field.required) throw new Problem(field.code, `${field.name} is required.`, { field: field.name });
      continue;
    }
    const valid = validatorOf(field.schema);
    if (!valid(value)) {
      const message = complaint(field.name, field.schema, valid.errors ?? []);
      throw new Problem(field.code, message, { field: field.name });
    }
    into[field.name] = value;
  }
}

const nowhere: Source = () => undefined;

const fromJson =
  (values: Record<string, unknown>): Source =>
  ({ name }) =>
    Object.hasOwn(values, name) ? values[name] : undefined;

/** What came as text is read as the number that its schema asks for; if it isn't one, the schema refuses the text. */
const fromText =
  (values: Record<string, string | undefined>): Source =>
  ({ name, schema }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const numeric = Type.IsInteger(schema) || (schema as { type?: string }).type === "integer";
    return value !== undefined && numeric && /^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : value;
  };

function judgeFlags(fields: Field[], queried: Record<string, string>, caller: Caller | null): void {
  if (caller) return;
  const raised = fields.find((field) => field.needsCaller && queried[field.name] === "1");
  if (raised) throw new Problem("unauthorized", `${raised.name}=1 needs a signed-in caller.`);
}

/** Decodes a query; what can't be decoded, and what is said twice, is refused. */
export function parseQuery(query: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? "" : decode(pair.slice(at + 1));
    if (name === null)
      throw new Problem("invalid_input", "The query is not well-formed.", { field: "query" });
    if (value === null) throw new Problem("invalid_input", `${name} is not well-formed.`, { field: name });
    if (name in found) throw new Problem("invalid_input", `${name} is given twice.`, { field: name });
    found[name] = value;
  }
  return found;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
