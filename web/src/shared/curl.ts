import type { Route } from "@tandem/contract/routes";

type Values = Readonly<Record<string, unknown>>;

/** The environment variable that holds the key. */
export const KEY_IN_SHELL = "$TANDEM_API_KEY";

/** A call as a curl command, with a key, or with a session cookie if `key` is null. */
export function curlOf(
  route: Route,
  values: Values,
  { baseUrl, key, dryRun = false }: { baseUrl: string; key: string | null; dryRun?: boolean },
): string {
  const credential = key === null ? "-b cookies" : keyHeader(key);
  return curlWords(route, values, { baseUrl, credential, dryRun }).join(" \\\n  ");
}

export const keyHeader = (key: string): string => `-H "Authorization: Bearer ${key}"`;

/** The parts of a curl command. A file's value is its path, or a `File`. */
export function curlWords(
  route: Route,
  values: Values,
  { baseUrl, credential, dryRun = false }: { baseUrl: string; credential: string; dryRun?: boolean },
): string[] {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? `{${name}}`)),
  );
  const query = new URLSearchParams(
    route.query.flatMap((name) => (values[name] === undefined ? [] : [[name, String(values[name])]])),
  );
  if (dryRun) query.set("dryRun", "1");
  return [
    `curl -sS${route.streams ? "N" : ""} ${shellWord(`${baseUrl}${path}${query.size > 0 ? `?${query}` : ""}`)}`,
    route.method === "GET" ? "" : `-X ${route.method}`,
    credential,
    ...bodyOf(route, values),
  ].filter(Boolean);
}

/** JSON, or a form if there are files. */
function bodyOf(route: Route, values: Values): string[] {
  const fields = route.body.filter((name) => values[name] !== undefined);
  const files = Object.keys(route.files).filter((name) => values[name] !== undefined);
  if (files.length > 0)
    return [
      ...fields.map((name) => `--form-string ${shellWord(`${name}=${textOf(values[name])}`)}`),
      ...files.flatMap((name) =>
        [values[name]].flat().map((file) => `-F ${shellWord(`${name}=@${pathOf(file)}`)}`),
      ),
    ];
  if (fields.length === 0) return [];
  const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name]])));
  return ["-H 'Content-Type: application/json'", `-d ${shellWord(body)}`];
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const pathOf = (file: unknown) => (file instanceof File ? file.name : String(file));

/** Quotes a string for a POSIX shell. */
const shellWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
