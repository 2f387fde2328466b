import { documents } from "@tandem/contract/documents";
import type { ErrorCode } from "@tandem/contract/errors";
import { type FileField, fileTypes } from "@tandem/contract/files";
import { hintOf, routeOf } from "@tandem/contract/hints";
import type { Format, JsonSchemaNode } from "@tandem/contract/json-schema";
import { nearestOperation } from "@tandem/contract/nearest-path";
import {
  fieldScopesOf,
  isWrite,
  type Operation,
  scopesOf,
  takesForm,
  takesJson,
} from "@tandem/contract/operation";
import { MAX_ID } from "@tandem/contract/schema";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { counted } from "./duration.ts";
import { hasKey, isKeyName } from "./key-in-address.ts";

/** A hint on how to fix an error, from the operation, the caller and the contract. */
export function hintFor(problem: ApiError, reply: FastifyReply): string {
  const { op, caller, is404 } = reply.request;
  const exposed = keyInAddress(problem, reply.request);
  if (exposed !== undefined) return exposed;
  const allowed = reply.getHeader("allow");
  if (allowed) return methodsHint(String(allowed), reply.request);
  if (problem.hint !== undefined) return problem.hint;
  // Such as a document that isn't there, which no operation lists.
  if (is404 || (!op && problem.code === "not_found"))
    return `Agents start at GET ${documents.summary}; GET ${documents.openApi} lists every path.`;
  const precise = whenToRetry(problem, caller) ?? (op && fromOperation(problem, op, reply.request));
  return precise ?? wrongHeader(problem, reply.request) ?? hintOf(problem.code);
}

function methodsHint(allowed: string, { method, url }: FastifyRequest): string {
  const meant = nearestOperation(method, url.split("?")[0] ?? "");
  return `This path allows ${allowed}.${meant ? ` Did you mean ${meant}?` : ""}`;
}

function whenToRetry({ code, retryAfter }: ApiError, caller: Caller | null): string | undefined {
  if (code !== "rate_limited" || retryAfter === undefined) return undefined;
  const wait = `Retry in ${counted(retryAfter, "second")}.`;
  return caller?.key ? `${wait} ${routeOf("readOwnKey")} shows what is left of each quota.` : wait;
}

/** For a request with a key in its address: whatever else is wrong with it, the key is in logs now. */
function keyInAddress(
  { code, field }: Pick<ApiError, "code" | "field">,
  { op, caller, headers, query, url }: FastifyRequest,
): string | undefined {
  const taken = { ...op?.query.properties, ...op?.body.properties };
  const isMeant = (name: string) =>
    isKeyName(name) && !Object.hasOwn(taken, name) && (code === "unauthorized" || field === name);
  const isAnonymous = !caller && headers.authorization === undefined;
  const names = Object.keys(query ?? {});
  return hasKey(url) || (isAnonymous && names.some(isMeant))
    ? `Send the key as \`Authorization: Bearer <key>\`. In an address, it ends up in logs: consider it exposed, and ask the person responsible for it to revoke it (${routeOf("revokeKey")}).`
    : undefined;
}

/** Many APIs take keys in this header. */
function wrongHeader({ code }: ApiError, { headers }: FastifyRequest): string | undefined {
  const isThere = headers["x-api-key"] !== undefined && headers.authorization === undefined;
  return code === "unauthorized" && isThere
    ? "Send the key as `Authorization: Bearer <key>`. `X-API-Key` is ignored."
    : undefined;
}

/** Codes of invalid fields; the hint describes what the field accepts. */
const ofForm = new Set<ErrorCode>(["invalid_input", "invalid_name", "file_too_large"]);

function fromOperation(
  { code, field, breaksSchema, message }: ApiError,
  op: Operation,
  request: FastifyRequest,
): string | undefined {
  const { caller } = request;
  if (code === "unauthorized") return logInHint(op, request);
  if (code === "insufficient_scope") return scopeHint(op, caller, field);
  if (code === "unsupported_media_type") return typesHint(op);
  if (code === "invalid_json") return bodyHint(op);
  if (!ofForm.has(code) || field === undefined) return undefined;
  if (Object.hasOwn(op.files, field)) return fileHint(field, op.files[field] as FileField);
  // If a rule refused a valid value, only the message says why.
  return breaksSchema ? fieldHint(op, field, message) : undefined;
}

/** Logging in uses no credential but the one in the body. */
function logInHint(op: Operation, { headers }: FastifyRequest): string | undefined {
  const byBody = op.access.kind === "anyone" && isWrite(op) && headers.authorization === undefined;
  return byBody ? "The credential in the body is not valid: correct it, then retry." : undefined;
}

function scopeHint(op: Operation, caller: Caller | null, field: string | undefined): string | undefined {
  const ofField = field !== undefined && fieldScopesOf(op).get(field);
  const needed = ofField ? [ofField] : op.access.kind === "scope" ? scopesOf(op.access) : [];
  if (needed.length === 0 || !caller?.key) return undefined;
  const has = caller.key.scopes.join(", ") || "none";
  const next = caller.key.isGrant
    ? "Ask for access again, with that scope: `WWW-Authenticate` names it."
    : hintOf("insufficient_scope");
  return `Needed: ${needed.join(" or ")}; this key has ${has}. ${next}`;
}

function typesHint(op: Operation): string {
  const types = [takesJson(op) && "application/json", takesForm(op) && "multipart/form-data"].filter(Boolean);
  return types.length > 0
    ? `Send ${types.join(" or ")}.`
    : "This operation has no body: send none, and no Content-Type.";
}

/** What a body must be. */
export function bodyHint(op: Operation): string {
  return takesJson(op) ? `Send a JSON object in UTF-8. ${fieldsHint(op)}` : typesHint(op);
}

function fieldsHint({ body }: Operation): string {
  const required = body.required ?? [];
  const others = Object.keys(body.properties).filter((name) => !required.includes(name));
  const parts = [
    required.length > 0 && `Required: ${required.join(", ")}.`,
    others.length > 0 && `Optional: ${others.join(", ")}.`,
  ];
  return parts.filter(Boolean).join(" ");
}

/** Undefined if the message lists all that the field accepts. */
function fieldHint(op: Operation, name: string, message: string): string | undefined {
  const fields: Record<string, TSchema> = {
    ...op.params.properties,
    ...op.query.properties,
    ...op.body.properties,
  };
  const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!schema) return undefined;
  const values = valuesIn(schema);
  const isListed = values.length > 0 && values.every((value) => message.includes(String(value)));
  return isListed ? undefined : `${name} must be ${accepted(schema)}.`;
}

/** The values that a schema lists. */
function valuesIn({ enum: values, "x-words": words, anyOf = [], items, type }: JsonSchemaNode): unknown[] {
  const own = values ?? words ?? (type === "boolean" ? [true, false] : []);
  return [...own, ...[...anyOf, ...(items ? [items] : [])].flatMap(valuesIn)];
}

function fileHint(name: string, { takes, bytes, max }: FileField): string {
  const types = takes.map((type) => fileTypes[type].extension).join(", ");
  const each = max === 1 ? "" : ` It can be repeated, for up to ${max} files.`;
  return `${name} must be a file of type ${types}, by its content, and at most ${bytes / 2 ** 20} MiB.${each}`;
}

/** Describes what a schema accepts. */
function accepted(schema: TSchema): string {
  const { examples, anyOf } = schema as JsonSchemaNode;
  const [example] = examples ?? anyOf?.[0]?.examples ?? [];
  const suffix = example == null ? "" : `; for example ${JSON.stringify(example)}`;
  return `${kind(schema as JsonSchemaNode)}${suffix}`;
}

function kind(node: JsonSchemaNode): string {
  if (node.anyOf) return node.anyOf.map(kind).join(", or ");
  if (node.enum) return node.enum.join(" or ");
  switch (node.type) {
    case "string":
      return textKind(node);
    case "integer":
      return `a whole number${range(node.minimum, node.maximum)}`;
    case "array":
      return `a list of at most ${node.maxItems}, each ${kind(node.items ?? {})}`;
    case "boolean":
      return "true or false";
    case "object":
      return objectKind(node);
    default:
      return node.type === "number" ? "a number" : "null";
  }
}

function objectKind({ properties = {}, required = [] }: JsonSchemaNode): string {
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  const parts = [required.join(", "), others.length > 0 && `optionally ${others.join(", ")}`];
  return `an object with ${parts.filter(Boolean).join(", and ")}`;
}

const forms: Partial<Record<Format, string>> = {
  email: "an email address of",
  "date-time": "an RFC 3339 time of",
  "web-address": "an absolute http or https URL of",
};

function textKind({
  format = "text",
  minLength,
  maxLength,
  pattern,
  "x-rule": rule,
}: JsonSchemaNode): string {
  if (format === "date") return "a day such as 2026-01-31";
  // The length of enumerated words doesn't matter.
  if (rule && maxLength === undefined) return rule.replace(/^must be /, "");
  const inWords = rule ? `, and ${rule}` : pattern ? ", not only blanks" : "";
  return `${forms[format] ?? "text of"} ${minLength ? `${minLength} to` : "up to"} ${maxLength} characters${inWords}`;
}

/** Leaves out the bounds that every JSON number has. */
function range(min: number | undefined, max: number | undefined): string {
  if (max === undefined || max === MAX_ID) return min === undefined ? "" : ` of ${min} or more`;
  return ` from ${min} to ${max}`;
}
