import type { IncomingMessage } from "node:http";
import { type Operation, takesForm, takesJson } from "@tandem/contract/operation";
import { ApiError } from "./api-error.ts";
import { bodyHint } from "./hints.ts";
import { parseJson } from "./json.ts";

/** The JSON object in a request body, or null without a body. */
export function readBody(
  op: Operation,
  type: string | undefined,
  bytes: Buffer | null,
): Record<string, unknown> | null {
  const fields = Object.keys(op.body.properties);
  const accepted = [
    ...(takesJson(op) ? ["application/json"] : []),
    ...(takesForm(op) ? ["multipart/form-data"] : []),
  ];
  const unsupported = () =>
    new ApiError(
      "unsupported_media_type",
      accepted.length > 0 ? `Send the body as ${accepted.join(" or ")}.` : "This operation takes no body.",
    );
  if (takesForm(op) && !takesJson(op)) throw unsupported();
  if (!bytes || bytes.length === 0) return null;
  if (!isJson(type)) throw unsupported();
  const value = parseJson(bytes, { fields });
  // Some clients send this as the body of a request that has none.
  if (value === null && fields.length === 0) return null;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  // Without a field, because some operations take one that is called body.
  throw new ApiError("invalid_input", "The body must be a JSON object.", { hint: bodyHint(op) });
}

/** Throws if a GET has a body. It isn't read; but two bytes, which some clients send as an empty object, hold no field. */
export function refuseBodyOfGet({ method, headers }: IncomingMessage): void {
  if (method !== "GET" && method !== "HEAD") return;
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  if (encoding === undefined && Number(length) <= 2) return;
  throw new ApiError("invalid_input", "GET takes no body. Send its fields in the query.");
}

export function isForm(type: string | undefined): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(type?.trim() ?? "");
}

function isJson(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type?.trim() ?? "");
}
