import type { App } from "@tandem/server/app";
import { errorCodesOf } from "@tandem/server/discovery/error-codes";
import { routerPath } from "@tandem/server/http/methods";

/**
 * Watches that operations only return errors that their documents declare; all tests are a test of the documents. Returns a
 * function that throws if one returned another.
 */
export function watchErrors(server: App["server"]): () => void {
  const undeclared = new Set<string>();
  server.addHook("onResponse", async ({ op, routeOptions }, { errorCode }) => {
    // The file of an export is logged as the operation that gives its address.
    if (op && routeOptions.url !== routerPath(op.path)) return;
    if (op && errorCode && errorCode !== "internal" && !errorCodesOf(op).includes(errorCode))
      undeclared.add(`${op.name}: ${errorCode}`);
  });
  return () => {
    if (undeclared.size > 0)
      throw new Error(
        `Undeclared errors, to add to the operations' \`errors\`: ${[...undeclared].join(", ")}`,
      );
  };
}
