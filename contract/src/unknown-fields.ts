import type { TObject } from "typebox";
import { canWait } from "./approval.ts";
import { Draft } from "./drafts.ts";
import { namedResources, readersOf, shownBy } from "./named-resources.ts";
import { didYouMean, nearestName } from "./nearest-name.ts";
import { isWrite, type Operation, takesIdempotencyKey } from "./operation.ts";
import { operationList } from "./operations.ts";

/** What an operation says about a name that it doesn't take. */

/** The longest name that is repeated in full. */
export const LONGEST_NAME = 100;

const where = { field: "There is no field", parameter: "There is no query parameter" } as const;

/** A sentence that names an unknown name, the one that was probably meant, and all that `what` takes. */
export function unknownName(
  kind: string,
  name: string,
  {
    what,
    takes,
    files = [],
    instead,
  }: { what: string; takes: readonly string[]; files?: readonly string[]; instead?: string | undefined },
): string {
  const next = instead ? "." : didYouMean(name, [...takes, ...files]);
  const all = takes.length > 0 ? quoted(takes) : "nothing";
  const parts = files.length > 0 ? `, and as files in a form ${quoted(files)}` : "";
  return [`${kind} \`${name.slice(0, LONGEST_NAME)}\`${next}`, instead, `${what} takes ${all}${parts}.`]
    .filter(Boolean)
    .join(" ");
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** The message for a field that isn't one of the operation's body or, for a query parameter, of its query. */
export function unknownField(op: Operation, kind: keyof typeof where, name: string): string {
  const files = kind === "field" ? Object.keys(op.files) : [];
  if (files.includes(name))
    return `\`${name}\` is a file: send it as a part of multipart/form-data, with a file name.`;
  const inQuery = [
    ...namesIn(op.query),
    ...(op.method === "DELETE" ? namesIn(op.body) : []),
    ...(isWrite(op) ? ["dryRun"] : []),
  ];
  const takes = kind === "field" ? namesIn(op.body) : inQuery;
  const instead =
    nearestName(name, [...takes, ...files]) === undefined ? elsewhere(op, kind, name) : undefined;
  const what = `The ${kind === "field" ? "body" : "query"} of ${op.method} ${op.path}`;
  return unknownName(where[kind], name, { what, takes, files, instead });
}

/** Where the name belongs, if the operation takes it in another place, or another operation does what it asks for. */
function elsewhere(op: Operation, kind: keyof typeof where, name: string): string | undefined {
  const places: [names: string[], sentence: (name: string) => string][] = [
    [isWrite(op) ? ["dryRun"] : [], () => "For a dry run, add `?dryRun=1` to the address."],
    [takesIdempotencyKey(op) ? ["idempotencyKey"] : [], () => "Send it as the header `Idempotency-Key`."],
    kind === "field"
      ? [namesIn(op.query), (meant) => `\`${meant}\` goes into the query.`]
      : [[...namesIn(op.body), ...Object.keys(op.files)], (meant) => `\`${meant}\` goes into the body.`],
    [idNames(op), () => `The id goes into the path: \`${op.path}\`.`],
  ];
  for (const [names, sentence] of places) {
    const meant = nearestName(name, names);
    if (meant !== undefined) return sentence(meant);
  }
  const other = operationList.find((one) => one.name.toLowerCase() === `create${name.toLowerCase()}`);
  return other && `See ${other.method} ${other.path}.`;
}

/** What clients may call an id that is in the path: that of `/api/posts/{id}` is `postId`, too. */
function idNames({ path }: Operation): string[] {
  const [, noun] = /^\/api\/(\w+?)s\/\{id\}/.exec(path) ?? [];
  return noun ? ["id", `${noun}Id`] : [];
}

/** The fields of an operation's resource that its body doesn't take. */
export interface ShownFields {
  /** Those that no operation sets, or that the operation doesn't show: whatever is sent is ignored (AIP-203). */
  readOnly: ReadonlySet<string>;
  /** Those that another operation sets. Sent as the resource shows them, they are ignored. */
  fixed: ReadonlySet<string>;
}

/** So that clients can send back what they read; to sign in, no one does. */
export function shownFields(op: Operation): ShownFields {
  const resources = op.access.kind === "anyone" ? [] : resourcesOf(op);
  const taken = namesIn(op.body);
  const shown = resources.flatMap(namesIn).filter((name) => !taken.includes(name));
  const set = new Set(
    operationList.filter((other) => setsAny(other, resources)).flatMap(({ body }) => namesIn(body)),
  );
  // An id identifies what it is sent with.
  set.delete("id");
  const fixed = new Set(shown.filter((name) => set.has(name)));
  const ignored = [...shown, ...fieldsOfNamed(op, resources)];
  return { readOnly: new Set(ignored.filter((name) => !fixed.has(name) && !taken.includes(name))), fixed };
}

/**
 * The fields of what the operation works on but doesn't show: it can't set them. PATCH sets fields, so one that it doesn't take is
 * an error.
 */
function fieldsOfNamed(op: Operation, resources: TObject[]): string[] {
  if (op.access.kind === "anyone" || (op.method !== "POST" && op.method !== "DELETE")) return [];
  return namedResources(op)
    .flatMap(readersOf)
    .flatMap((reader) => shownBy(reader))
    .filter((resource) => !resources.includes(resource))
    .flatMap(namesIn);
}

/** A call that waits for approval becomes a draft, which shows its fields. */
function setsAny(op: Operation, resources: TObject[]): boolean {
  const sets = canWait(op.name) ? [...resourcesOf(op), Draft] : resourcesOf(op);
  return sets.some((resource) => resources.includes(resource));
}

/** The resources in an operation's response; those in lists aren't what it works on. */
function resourcesOf({ response }: Operation): TObject[] {
  return shownBy({ response }, { lists: false }).filter(({ properties }) => "id" in properties);
}

function namesIn(schema: TObject): string[] {
  return Object.keys(schema.properties);
}
