import { closestWithin } from "./nearest-name.ts";
import { operationList } from "./operations.ts";

/** Longer paths aren't compared: no operation's is as long. */
const LONGEST = 100;

/** Edits that turn a misspelled path into the right one. With more, another word is meant. */
const MISSPELLED = 2;

const methodsByPath = new Map<string, string[]>();
for (const { path, method } of operationList)
  methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);

/** The operations' path that was probably meant, with its methods: `GET or POST /api/posts`. */
export function nearestPath(path: string): string | undefined {
  if (path.length > LONGEST) return undefined;
  const sought = normalized(path);
  if (sought === "/api") return undefined;
  const paths = [...methodsByPath.keys()];
  const meant =
    suffixes(sought).find((one) => methodsByPath.has(one)) ??
    paths.find((one) => one.endsWith(sought.replace("/api", ""))) ??
    closestWithin(sought, paths, MISSPELLED) ??
    ancestor(sought);
  return meant && `${methodsByPath.get(meant)?.join(" or ")} ${meant}`;
}

/** The operation of this method that was probably meant at a path that has others: with an id after it or before, or with the id in its body. */
export function nearestOperation(method: string, path: string): string | undefined {
  if (path.length > LONGEST || !path.startsWith("/api/")) return undefined;
  const sought = normalized(path);
  if (sought === "/api") return undefined;
  const paths = operationList.filter((op) => op.method === method).map((op) => op.path);
  const meant =
    paths.find((one) => one.startsWith(`${sought}/{`) && one.endsWith("}")) ??
    paths.find((one) => one === sought.slice(0, sought.lastIndexOf("/"))) ??
    paths.find((one) => one.endsWith(sought.replace("/api", "")) && !one.startsWith("/api/admin/"));
  return meant && `${method} ${meant}`;
}

/** As operations' paths are written: without a version, and with `{id}` for a number. */
function normalized(path: string): string {
  const [, ...segments] = path.toLowerCase().split("/").filter(Boolean);
  const named = segments
    .filter((one) => !/^v\d+$/.test(one))
    .map((one) => (/^\d+$/.test(one) ? "{id}" : one));
  return ["/api", ...named].join("/");
}

/** The path, then without its first segments: `/posts/{id}/comments/{id}` is `/comments/{id}`. */
function suffixes(path: string): string[] {
  const [, ...segments] = path.split("/").filter(Boolean);
  return segments.map((_, i) => ["/api", ...segments.slice(i)].join("/"));
}

function ancestor(path: string): string | undefined {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (methodsByPath.has(path.slice(0, at))) return path.slice(0, at);
  return undefined;
}
