import { type Operation, takesForm, takesJson } from "@tandem/contract/operation";
import { ApiError } from "./api-error.ts";
import { parseJson } from "./json.ts";

/**
 * The JSON object in a request body, or null without a body. Operations without a body ignore it.
 */
export function readBody(
  op: Operation,
  type: string | undefined,
  bytes: Buffer | null,
): Record<string, unknown> | null {
  const fields = Object.keys(op.body.properties);
  const [first] = fields;
  const accepted = [
    ...(takesJson(op) ? ["application/json"] : []),
    ...(takesForm(op) ? ["multipart/form-data"] : []),
  ];
  const unsupported = () =>
    new ApiError("unsupported_media_type", `Send the body as ${accepted.join(" or ")}.`);
  if (takesForm(op) && !takesJson(op)) throw unsupported();
  if (first === undefined || !bytes || bytes.length === 0) return null;
  if (!isJson(type)) throw unsupported();
  const value = parseJson(bytes, fields);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ApiError("invalid_input", "The body must be a JSON object.", { field: first });
}

export function isForm(type: string | undefined): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(type?.trim() ?? "");
}

function isJson(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type?.trim() ?? "");
}
