import type { Operation } from "@tandem/contract/operation";
import { isWrite } from "@tandem/contract/operation";

/** The path, query and body fields of a call. For a file, its path. */
export type Values = Record<string, unknown>;

const keyHeader = `-H "Authorization: Bearer $TANDEM_API_KEY"`;
const cookieJar = "-b session.cookies -c session.cookies";

/** A shell command that calls an operation with the credential that it requires. The key is in `TANDEM_API_KEY`. */
export function curl(op: Operation, values: Values, baseUrl: string): string {
  const words = [
    `curl -sS${op.streams ? "N" : ""} ${shellWord(baseUrl + addressOf(op, values))}`,
    isWrite(op) && (op.method !== "POST" || !hasBody(op, values)) ? `-X ${op.method}` : "",
    credential(op),
    ...payload(op, values),
    op.redirects ? "-o /dev/null -w '%{redirect_url}'" : "",
  ];
  return words.filter(Boolean).join(" ");
}

function credential(op: Operation): string {
  if (op.access.kind === "session") return cookieJar;
  if (op.access.kind === "anyone") return isWrite(op) ? cookieJar : "";
  return keyHeader;
}

function addressOf(op: Operation, values: Values): string {
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = new URLSearchParams();
  for (const [name, value] of present(op.query.properties, values)) query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

function hasBody(op: Operation, values: Values): boolean {
  return payload(op, values).length > 0;
}

/** JSON, or a form if there are files. */
function payload(op: Operation, values: Values): string[] {
  const fields = present(op.body.properties, values);
  const files = present(op.files, values);
  if (files.length === 0 && fields.length === 0) return [];
  if (files.length === 0)
    return [
      `-H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(Object.fromEntries(fields)))}`,
    ];
  return [
    ...fields.map(([name, value]) => `--form-string ${shellWord(`${name}=${value}`)}`),
    ...files.map(([name, path]) => `-F ${name}=@${path}`),
  ];
}

function present(properties: object, values: Values): [name: string, value: unknown][] {
  const names = Object.keys(properties).filter((name) => values[name] !== undefined);
  return names.map((name) => [name, values[name]]);
}

/** Quotes a text for a shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
