import type { ErrorCode } from "@tandem/contract/errors";
import type { Operation } from "@tandem/contract/operation";
import type { Annotations } from "@tandem/contract/schema";
import { Ajv } from "ajv";
import type { TObject, TSchema } from "typebox";
import { requireFieldScopes } from "./access.ts";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { FieldErrors } from "./field-errors.ts";
import { formats } from "./formats.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
import { unknownFieldsOf } from "./unknown-fields.ts";
import { validationMessage } from "./validation-message.ts";

// JSON allows 1e400, which JavaScript reads as Infinity; no field accepts it.
const ajv = new Ajv({ strict: false, strictNumbers: true, formats, verbose: true });

/** Compiled when a field is first sent: compiling all of them would double the start-up time. */
const validatorOf = memoizePerInstance((schema: TSchema) => ajv.compile(schema));

interface Field {
  name: string;
  required: boolean;
  schema: TSchema;
  isInteger: boolean;
  code: ErrorCode;
  needsCaller: boolean;
}

/** An operation's raw input. */
export interface RawInput {
  params: Record<string, string>;
  /** The query string, not decoded. */
  query: string;
  /** Null without a body. */
  body: Record<string, unknown> | null;
}

export interface InputValidator {
  /** `others` says what happens to fields that the operation doesn't take. */
  validate(raw: RawInput, caller: Caller | null, others?: "refused" | "ignored"): Record<string, unknown>;
}

/**
 * Compiles an operation's input validator. It checks path, query and body in this order: first that the operation takes each field
 * that was sent, then the value of each. The error names every field that isn't valid. Only declared fields are passed on.
 */
export const inputValidatorOf = memoizePerInstance((op: Operation): InputValidator => {
  const [params, query, body] = [op.params, op.query, op.body].map(fieldsOf) as [Field[], Field[], Field[]];
  // Some clients can't send a body with DELETE, so the query may carry its fields.
  const bodyInQuery = op.method === "DELETE";
  // Links to what isn't part of the API may have any parameters, such as those of campaigns.
  const isOfApi = op.path.startsWith("/api/");
  const unknown = unknownFieldsOf(op);
  return {
    validate(raw, caller, others = isOfApi ? "refused" : "ignored") {
      const input: Record<string, unknown> = {};
      const errors = new FieldErrors();
      pick(params, fromText(raw.params), input, errors);
      const queried = errors.collect(() => parseQuery(raw.query)) ?? {};
      // Other invalid fields come first, as long as they precede it.
      if (errors.isEmpty) {
        if (caller) requireFieldScopes(caller, op, queried);
        else requireCaller(query, queried);
      }
      if (others === "refused") unknown.checkQuery(queried, errors);
      pick(query, fromText(queried), input, errors);
      if (others === "refused") unknown.checkBody(raw.body ?? {}, errors);
      if (bodyInQuery) refuseTwice(body, queried, raw.body ?? {}, errors);
      const inBody = fromJson(raw.body ?? {});
      const inQuery = bodyInQuery ? fromText(queried) : nowhere;
      pick(
        body,
        (field) => (Object.hasOwn(raw.body ?? {}, field.name) ? inBody(field) : inQuery(field)),
        input,
        errors,
      );
      errors.throwIfAny();
      return input;
    },
  };
});

function fieldsOf(schema: TObject): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => {
    const annotations: Annotations = property;
    return {
      name,
      required: required.has(name),
      schema: property,
      isInteger: (property as { type?: string }).type === "integer",
      code: annotations["x-code"] ?? "invalid_input",
      needsCaller: annotations["x-needs-caller"] ?? false,
    };
  });
}

type Source = (field: Field) => unknown;

function pick(fields: Field[], source: Source, into: Record<string, unknown>, errors: FieldErrors): void {
  for (const field of fields) {
    const value = source(field);
    if (value === undefined) {
      if (field.required) errors.addInvalid(field.name, `${field.name} is required.`, field.code);
      continue;
    }
    const valid = validatorOf(field.schema);
    if (valid(value)) into[field.name] = value;
    else
      errors.addInvalid(
        field.name,
        validationMessage(field.name, field.schema, valid.errors ?? [], { isFirst: errors.isEmpty }),
        field.code,
      );
  }
}

function refuseTwice(fields: Field[], queried: object, body: object, errors: FieldErrors): void {
  for (const { name } of fields)
    if (Object.hasOwn(queried, name) && Object.hasOwn(body, name))
      errors.add(name, `${name} is in both the query and the body.`);
}

const nowhere: Source = () => undefined;

const fromJson =
  (values: Record<string, unknown>): Source =>
  ({ name }) =>
    Object.hasOwn(values, name) ? values[name] : undefined;

/** Converts text to a number if the schema expects one; text that isn't a number is left for the schema to refuse. */
const fromText =
  (values: Record<string, string | undefined>): Source =>
  ({ name, isInteger }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value !== undefined && isInteger && /^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : value;
  };

/** Throws if one of these parameters needs a credential. */
function requireCaller(fields: Field[], queried: Record<string, string>): void {
  // A flag asks for something only with 1; another value of it is a mistake.
  const needsCaller = fields.find(
    ({ needsCaller, name, schema }) =>
      needsCaller && ("enum" in schema ? queried[name] === "1" : queried[name] !== undefined),
  );
  if (needsCaller)
    throw new ApiError(
      "unauthorized",
      `${needsCaller.name}=${queried[needsCaller.name]} requires an API key or a session.`,
    );
}

/** Decodes a query string; refuses malformed encodings and repeated fields. */
export function parseQuery(query: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? "" : decode(pair.slice(at + 1));
    if (name === null) throw new ApiError("invalid_input", "The query is malformed.", { field: "query" });
    if (value === null) throw new ApiError("invalid_input", `${name} is malformed.`, { field: name });
    if (name in fields) throw new ApiError("invalid_input", `${name} is repeated.`, { field: name });
    fields[name] = value;
  }
  return fields;
}

function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
