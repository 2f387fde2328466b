import type { Route } from "@tandem/contract/routes";

/** The environment variable that holds the key. */
export const KEY_IN_SHELL = "$TANDEM_API_KEY";

/** A call as a curl command, with a key, or with a session cookie if `key` is null. */
export function curlOf(
  route: Route,
  values: Readonly<Record<string, unknown>>,
  { baseUrl, key, dryRun = false }: { baseUrl: string; key: string | null; dryRun?: boolean },
): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? `{${name}}`)),
  );
  const query = new URLSearchParams(
    route.query.flatMap((name) => (values[name] === undefined ? [] : [[name, String(values[name])]])),
  );
  if (dryRun) query.set("dryRun", "1");
  const words = [
    `curl -sS${route.streams ? "N" : ""} ${quoted(`${baseUrl}${path}${query.size > 0 ? `?${query}` : ""}`)}`,
    route.method === "GET" ? "" : `-X ${route.method}`,
    key === null ? "-b cookies" : `-H "Authorization: Bearer ${key}"`,
    ...bodyOf(route, values),
  ];
  return words.filter(Boolean).join(" \\\n  ");
}

function bodyOf(route: Route, values: Readonly<Record<string, unknown>>): string[] {
  const fields = route.body.filter((name) => values[name] !== undefined);
  const files = Object.keys(route.files).filter((name) => values[name] !== undefined);
  if (files.length > 0)
    return [
      ...fields.map((name) => `--form-string ${quoted(`${name}=${textOf(values[name])}`)}`),
      ...files.map((name) => `-F ${quoted(`${name}=@${(values[name] as File).name}`)}`),
    ];
  if (fields.length === 0) return [];
  const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name]])));
  return ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`];
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Quotes a string for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
