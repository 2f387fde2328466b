import { errorPath } from "./documents.ts";
import { type ErrorCode, errors } from "./errors.ts";
import { operationList } from "./operations.ts";

/** What to do about an error, based on its code alone. See {@link withRoutes}. */
export function hintOf(code: ErrorCode): string {
  return withRoutes(errors[code].hint);
}

/** A text in which the names of operations in braces are replaced by routes: `{listPosts}` by `GET /api/posts`. */
export function withRoutes(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => routeOf(name));
}

/** Method and path of an operation, such as `GET /api/posts`. */
export function routeOf(name: string): string {
  const op = operationList.find((operation) => operation.name === name);
  if (!op) throw new Error(`there is no operation ${name}`);
  return `${op.method} ${op.path}`;
}

/** The URL of an error code's page. */
export function docsOf(baseUrl: string, code: ErrorCode): string {
  return `${baseUrl}${errorPath(code)}`;
}
