import { isWrite, type Operation } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { curlWords, KEY_IN_SHELL, keyHeader } from "@tandem/web/shared/curl";

/** The path, query and body fields of a call. For a file, its path. */
export type Values = Record<string, unknown>;

const cookieJar = "-b session.cookies -c session.cookies";

/** Fields whose value is a variable of the shell: a sample with a password could be pasted, and make an account that anyone can open. */
const inShell: Record<string, string> = {
  password: "TANDEM_PASSWORD",
  currentPassword: "TANDEM_PASSWORD",
};

/**
 * A shell command that calls an operation with the credential that it requires. The key is in `TANDEM_API_KEY`, and passwords are
 * in `TANDEM_PASSWORD`. A value such as `$NAME` stands for any other variable.
 */
export function curl(op: Operation, values: Values, baseUrl: string): string {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    inShell[name] === undefined ? value : `$${inShell[name]}`,
  ]);
  const route = routes[op.name as OperationName];
  const words = curlWords(route, Object.fromEntries(shown), { baseUrl, credential: credential(op) });
  return [...words, ...(op.redirects ? ["-o /dev/null -w '%{redirect_url}'"] : [])]
    .join(" ")
    .replace(/"(\$[A-Z_]+)"(?=[,}])/g, `"'"$1"'"`);
}

function credential(op: Operation): string {
  if (op.access.kind === "session") return cookieJar;
  // Where it isn't for programs either, it signs someone in.
  if (op.access.kind === "anyone") return isWrite(op) && op.exposure === "hidden" ? cookieJar : "";
  return keyHeader(KEY_IN_SHELL);
}
