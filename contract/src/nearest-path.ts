import { A2A_PATH, documents, TOOLS_PATH } from "./documents.ts";
import { closestWithin, nearestName } from "./nearest-name.ts";
import { oauthPaths } from "./oauth.ts";
import { type Operation, summaryOf } from "./operation.ts";
import { operationList } from "./operations.ts";

/** Longer paths aren't compared: no operation's is as long. */
const LONGEST = 100;

/** Edits that turn a misspelled path into the right one. With more, another word is meant. */
const MISSPELLED = 2;

/** What stands for a number in a path. */
const ID = "{id}";

/** A path that exists. */
interface Known {
  path: string;
  methods: string[];
  /** Its parts, in the form in which they are compared. */
  parts: string[];
}

const known: Known[] = [];
for (const { path, method } of operationList) add(path, method);
for (const path of Object.values(documents)) add(path, "GET");
for (const path of [TOOLS_PATH, A2A_PATH]) add(path, "POST");
const { authorization, ...otherOauthPaths } = oauthPaths;
add(authorization, "GET");
for (const path of Object.values(otherOauthPaths)) add(path, "POST");

const knownWords = new Set(known.flatMap(({ parts }) => parts.filter(isWord)));

/** Sections of paths that are suggested only for a path in them. */
const sections = ["admin", "oauth"];

/** What other services call what this one has another word for. Both as {@link folded}. */
const otherWords = new Map([
  ["user", "creator"],
  ["register", "signup"],
  ["signin", "login"],
  ["timeline", "post"],
  ["home", "post"],
]);

function add(path: string, method: string): void {
  const there = known.find((one) => one.path === path);
  if (there) there.methods.push(method);
  else known.push({ path, methods: [method], parts: partsOf(path) });
}

/** HEAD is a GET, and PUT mostly a PATCH. */
const instead: Record<string, string> = { HEAD: "GET", PUT: "PATCH" };

/** The path that was probably meant, with its methods, that of the request first: `GET or POST /api/posts`. */
export function nearestPath(method: string, path: string): string | undefined {
  const sought = path.length > LONGEST ? [] : partsOf(path);
  if (sought.length === 0) return undefined;
  const own = instead[method] ?? method;
  const undone = undoneBy(sought);
  // Only a DELETE undoes anything: a POST at the same path does the opposite.
  const meant = undone ? alike(undone, pathsWith("DELETE")) : meantBy(sought, own);
  return typeof meant === "object" ? withMethods(meant, undone ? "DELETE" : own) : meant;
}

function meantBy(sought: string[], own: string): Known | string | undefined {
  const inOurWords = sought.map((part) => otherWords.get(part) ?? part);
  const withMethod = pathsWith(own);
  const nearest = (parts: string[]) =>
    withIdInBody(parts, own) ?? alike(parts, withMethod) ?? lackingValues(parts, withMethod);
  return (
    searchOf(sought) ??
    exactly(sought, withMethod) ??
    exactly(inOurWords, withMethod) ??
    nearest(sought) ??
    nearest(inOurWords) ??
    alike(sought, known) ??
    misspelled(sought) ??
    parentOf(sought, own) ??
    calledBy(sought, own) ??
    parentOf(sought)
  );
}

function pathsWith(method: string): Known[] {
  return known.filter(({ methods }) => methods.includes(method));
}

function withMethods({ path, methods }: Known, first: string): string {
  return `${methods.toSorted((a, b) => Number(b === first) - Number(a === first)).join(" or ")} ${path}`;
}

/** The operation of this method that was probably meant at a path that has others: with an id after it or before, or with the id in its body. */
export function nearestOperation(method: string, path: string): string | undefined {
  if (path.length > LONGEST || !path.startsWith("/api/")) return undefined;
  const sought = partsOf(path);
  const withMethod = pathsWith(method);
  const meant =
    withMethod.find(({ parts }) => parts.at(-1)?.startsWith("{") && isSame(parts, [...sought, ID])) ??
    withMethod.find(({ parts }) => isSame(parts, sought.slice(0, -1))) ??
    endingAlike(sought, withMethod) ??
    endingAlike(sought.slice(-1), withMethod);
  return meant && `${method} ${meant.path}`;
}

/** A path's parts without prefix and version. Case, separators, plurals and file extensions don't matter. */
function partsOf(path: string): string[] {
  const [first, ...others] = path.toLowerCase().split("/").filter(Boolean);
  const parts = first === undefined || first === "api" ? others : [first, ...others];
  return parts.filter((one) => !/^v\d+$/.test(one)).map((one) => (/^\d+$/.test(one) ? ID : folded(one)));
}

function isWord(part: string): boolean {
  return !part.startsWith("{");
}

function folded(part: string): string {
  if (!isWord(part)) return part;
  const word = part.replace(/(?<=.)\.\w+$/, "").replace(/[^a-z0-9]/g, "");
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ch|sh|ss|x)es$|(?<!s)s$/, "");
}

/** Whether a known path's parts fit those of a request. A number fits any parameter, a word those that aren't ids. */
function isSame(known: string[], sought: string[]): boolean {
  const fits = (part: string, i: number) =>
    part === sought[i] || (!isWord(part) && (sought[i] === ID || !/id\}$/.test(part)));
  return known.length > 0 && known.length === sought.length && known.every(fits);
}

/** The path without the `un` of a word such as `unfollow`. Undefined if there is no such word. */
function undoneBy(sought: string[]): string[] | undefined {
  const done = (part: string) => (/^un/.test(part) && !knownWords.has(part) ? part.slice(2) : "");
  return sought.some((part) => knownWords.has(done(part)))
    ? sought.map((part) => (knownWords.has(done(part)) ? done(part) : part))
    : undefined;
}

/** The path that is the request's. A word of another path isn't a value of a parameter. */
function exactly(sought: string[], among: readonly Known[]): Known | undefined {
  return among.find(
    ({ parts }) =>
      isSame(parts, sought) && parts.every((part, i) => isWord(part) || !knownWords.has(sought[i] ?? "")),
  );
}

function alike(sought: string[], among: readonly Known[]): Known | undefined {
  return endOf(sought, among) ?? exactly([...sought, "search"], among) ?? endingAlike(sought, among);
}

/** For an id that belongs into the body, the operation that takes it there. */
function withIdInBody(sought: string[], method: string): string | undefined {
  if (sought.at(-1) !== ID) return undefined;
  const meant = operationList.find(
    (op: Operation) =>
      op.method === method && "id" in op.body.properties && isSame(partsOf(op.path), sought.slice(0, -1)),
  );
  return meant && `${method} ${meant.path} with \`id\``;
}

/** The path that takes more values after the request's first words, such as a platform before an author. */
function lackingValues(sought: string[], among: readonly Known[]): Known | undefined {
  return among.find(({ parts }) => {
    const words = parts.findIndex((part) => !isWord(part));
    return (
      words > 0 &&
      words < sought.length &&
      sought.length < parts.length &&
      isSame(parts.slice(0, words), sought.slice(0, words)) &&
      !parts.slice(words).some(isWord)
    );
  });
}

/** For a path with a word such as `search`, the list that takes a query: that of the path's other parts, or else the one with most filters. */
function searchOf(sought: string[]): string | undefined {
  const others = sought.filter((part) => nearestName(part, ["q"]) === undefined);
  if (others.length === sought.length) return undefined;
  const filtersOf = ({ query }: Operation) => Object.keys(query.properties);
  const lists = operationList
    .filter((op: Operation) => op.method === "GET" && filtersOf(op).includes("q"))
    .filter(({ path }) => others.length === 0 || isSame(partsOf(path), others))
    .toSorted((a, b) => filtersOf(b).length - filtersOf(a).length);
  return lists[0] && `GET ${lists[0].path} with \`q\``;
}

/** The path that is the end of the request's. */
function endOf(sought: string[], among: readonly Known[]): Known | undefined {
  return among.find(({ parts }) => sought.some((_, i) => isSame(parts, sought.slice(i))));
}

/** The shortest path that has all words of the request's, and ends in one of them. */
function endingAlike(sought: string[], among: readonly Known[]): Known | undefined {
  const words = sought.filter(isWord);
  const isAlike = ({ parts }: Known) =>
    words.every((word) => parts.includes(word)) && words.includes(parts.findLast(isWord) ?? "");
  return among
    .filter((one) => isAlike(one) && (one.parts[0] === sought[0] || !sections.includes(one.parts[0] ?? "")))
    .toSorted((a, b) => a.path.length - b.path.length)[0];
}

function misspelled(sought: string[]): Known | undefined {
  const path = sought.join("/");
  const paths = known.map(({ parts }) => parts.join("/"));
  const nearest = closestWithin(path, paths, Math.min(MISSPELLED, Math.floor(path.length / 3)));
  return nearest === undefined ? undefined : known[paths.indexOf(nearest)];
}

/** The nearest path above, unless it lacks the method. */
function parentOf(sought: string[], method?: string): Known | undefined {
  for (let length = sought.length - 1; length > 0; length--) {
    const found = known.find(({ parts }) => isSame(parts, sought.slice(0, length)));
    if (found) return method === undefined || found.methods.includes(method) ? found : undefined;
  }
  return undefined;
}

/** The operation that is called by the path's last word. Not those that keys can't call. */
function calledBy(sought: string[], method: string): string | undefined {
  const word = sought.findLast(isWord) ?? "";
  // No name has two letters, but prepositions do.
  if (word.length <= 2) return undefined;
  const match = operationList
    .filter((op) => op.method === method && op.access.kind !== "session")
    .find((op) => namesOf(summaryOf(op)).includes(word));
  return match && `${method} ${match.path}`;
}

/**
 * What a summary is about: what follows its verb, and what else it calls that or does. `List posts (the feed)` has `post` and `feed`, and
 * `Comment on a post, or reply to a comment` has `reply`.
 */
function namesOf(summary: string): string[] {
  const places = [/^\w+ (?:an? |the )?([\w-]+)/, /\(the (\w+)\)/, /, or (\w+)/];
  return places.flatMap((place) => place.exec(summary)?.[1] ?? []).map((name) => folded(name.toLowerCase()));
}
