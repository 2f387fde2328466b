import type { Route } from "@tandem/contract/routes";

/** A call as it is typed into a shell, as whoever makes it: with a key, in a session, or as nobody. */
export function curlOf(
  route: Route,
  values: Readonly<Record<string, unknown>>,
  { baseUrl, as, dryRun }: { baseUrl: string; as: "key" | "session"; dryRun: boolean },
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
    as === "key" ? '-H "Authorization: Bearer $TANDEM_API_KEY"' : "-b cookies",
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

/** A word as a shell takes it to the letter. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
