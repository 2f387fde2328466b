import { documents } from "./documents.ts";
import { type ErrorCode, errors } from "./errors.ts";
import { operationList } from "./operations.ts";

/** The way out of an error, as far as its code alone tells; with routes where the table has operations' names. */
export function hintOf(code: ErrorCode): string {
  return errors[code].hint.replace(/\{(\w+)\}/g, (_, name: string) => routeOf(name));
}

/** Method and path of an operation, such as `GET /api/posts`. */
export function routeOf(name: string): string {
  const op = operationList.find((one) => one.name === name);
  if (!op) throw new Error(`there is no operation ${name}`);
  return `${op.method} ${op.path}`;
}

/** The part of the reference that is about a code. */
export function docsOf(baseUrl: string, code: ErrorCode): string {
  return `${baseUrl}${documents.reference}#${code}`;
}
