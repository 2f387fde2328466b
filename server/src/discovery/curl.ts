import { isWrite, type Operation } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { curlWords, KEY_IN_SHELL, keyHeader } from "@tandem/web/shared/curl";

/** The path, query and body fields of a call. For a file, its path. */
export type Values = Record<string, unknown>;

const cookieJar = "-b session.cookies -c session.cookies";

/** A shell command that calls an operation with the credential that it requires. The key is in `TANDEM_API_KEY`. */
export function curl(op: Operation, values: Values, baseUrl: string): string {
  const words = curlWords(routes[op.name as OperationName], values, { baseUrl, credential: credential(op) });
  return [...words, ...(op.redirects ? ["-o /dev/null -w '%{redirect_url}'"] : [])].join(" ");
}

function credential(op: Operation): string {
  if (op.access.kind === "session") return cookieJar;
  if (op.access.kind === "anyone") return isWrite(op) ? cookieJar : "";
  return keyHeader(KEY_IN_SHELL);
}
