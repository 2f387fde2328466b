import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";
import type { Area } from "./areas.ts";
import type { ErrorCode } from "./errors.ts";
import type { Files } from "./files.ts";
import { type Annotations, MAX_ID, optional } from "./schema.ts";
import type { Scope } from "./scopes.ts";
import type { Quota } from "./tiers.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * Who may call an operation. A session may call every kind except `key`. `agents: false` excludes agents' sessions;
 * `admins: true` admits only admins.
 */
export type Access =
  | { kind: "anyone" }
  | { kind: "caller" }
  | { kind: "scope"; scope: Scope; or?: readonly Scope[] }
  | { kind: "session"; agents: boolean; admins?: true }
  | { kind: "key" };

/**
 * The effect of a call. `adds`: each call creates something. `sets`: idempotent and reversible. `overwrites`: earlier
 * data is permanently lost.
 */
export type Effect = "reads" | "adds" | "sets" | "overwrites";

/**
 * How MCP exposes it: as a `tool`, as a tool for callers without a key only (`keyless`) or with a key only, where the service has it turned on
 * (`optional`), through the tools that search and call the other operations, or not at all.
 */
export type Exposure = "tool" | "keyless" | "optional" | "searchable" | "hidden";

type Of<Kind extends Access["kind"]> = Extract<Access, { kind: Kind }>;

/** No credential needed. */
export const anyone: Of<"anyone"> = { kind: "anyone" };
/** Any key or session. */
export const signedIn: Of<"caller"> = { kind: "caller" };
/** A key with any of the scopes; or any session. */
export const scope = (name: Scope, ...or: Scope[]): Of<"scope"> => ({
  kind: "scope",
  scope: name,
  ...(or.length > 0 && { or }),
});
/** The scopes of which a key needs one. */
export const scopesOf = ({ scope, or = [] }: Of<"scope">): Scope[] => [scope, ...or];
/** The scopes that keys need for some fields of an operation, in addition to its own; by the field's name. */
export const fieldScopesOf = ({ query, body }: Pick<Operation, "query" | "body">): Map<string, Scope> => {
  const fields: [string, Annotations][] = Object.entries({ ...query.properties, ...body.properties });
  return new Map(
    fields.flatMap(([name, { "x-needs-scope": scope }]) => (scope ? [[name, scope] as const] : [])),
  );
};
/** A person's or an agent's session; keys get `session_required`. */
export const sessionOnly: Of<"session"> = { kind: "session", agents: true };
/** A person's session; keys get `session_required`, an agent's session `agent_forbidden`. */
export const peopleOnly: Of<"session"> = { kind: "session", agents: false };
/** An admin's session; other people get `forbidden`. */
export const adminsOnly: Of<"session"> = { kind: "session", agents: false, admins: true };
/** Any key. */
export const keyOnly: Of<"key"> = { kind: "key" };

/** An operation. Routes, checks, documents and clients are derived from it. */
export interface Operation<
  Name extends string = string,
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TProperties = TProperties,
  Response extends TSchema = TSchema,
  Allowed extends Access = Access,
  Sent extends Files = Files,
> {
  name: Name;
  /** The group that the documents list it under. */
  area: Area;
  method: Method;
  /** With `{name}` for each path parameter. */
  path: string;
  access: Allowed;
  /** The daily quota that its calls count against, in addition to the `writes` quota that every write counts against. */
  quota: Quota | null;
  params: TObject<Params>;
  query: TObject<Query>;
  body: TObject<Body>;
  /** The files that it takes. If there are any, it also accepts a form with these and the body's fields. */
  files: Sent;
  /** The body of a 200; for a redirect, its `location`; for a stream, the data of each event by the event's name. */
  response: Response;
  redirects: boolean;
  /** Whether the response is a stream of events (see {@link eventStream}). */
  streams: boolean;
  effect: Effect;
  exposure: Exposure;
  /** Whether a suspended account may call it: to appeal, to protect or secure itself, and to delete what it published. */
  whileSuspended: boolean;
  /** Error codes in addition to those that its access and input imply. */
  errors: readonly ErrorCode[];
  description: string;
}

interface Declaration<
  Name extends string,
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  A extends TProperties,
  Allowed extends Access,
  Sent extends Files,
> {
  name: Name;
  area: Area;
  route: `${Method} /${string}`;
  access: Allowed;
  quota?: Quota;
  params?: P;
  query?: Q;
  body?: B;
  files?: Sent;
  response: A;
  redirects?: true;
  /** By default, a POST adds, and a PATCH or DELETE overwrites. */
  effect?: Exclude<Effect, "reads">;
  /** By default, `searchable` if keys may call it, else `hidden`. */
  exposure?: Exclude<Exposure, "searchable">;
  /** By default, a suspended account may only read. */
  whileSuspended?: true;
  errors?: readonly ErrorCode[];
  description: string;
}

type None = Record<never, TSchema>;
type NoFiles = Record<never, never>;

export function operation<
  const Name extends string,
  Allowed extends Access,
  A extends TProperties,
  P extends TProperties = None,
  Q extends TProperties = None,
  B extends TProperties = None,
  Sent extends Files = NoFiles,
>(
  declared: Declaration<Name, P, Q, B, A, Allowed, Sent>,
): Operation<Name, P, Q, B, TObject<A>, Allowed, Sent> {
  const [method, path] = declared.route.split(" ") as [Method, string];
  const access: Access = declared.access;
  return {
    name: declared.name,
    area: declared.area,
    method,
    path,
    access: declared.access,
    quota:
      declared.quota ??
      (method !== "GET" && access.kind === "scope" && access.scope === "engagement:write"
        ? "engagement"
        : null),
    params: Type.Object(declared.params ?? ({} as P)),
    query: Type.Object(declared.query ?? ({} as Q)),
    body: Type.Object(declared.body ?? ({} as B)),
    files: declared.files ?? ({} as Sent),
    response: Type.Object(declared.response),
    redirects: declared.redirects ?? false,
    streams: false,
    effect: method === "GET" ? "reads" : (declared.effect ?? (method === "POST" ? "adds" : "overwrites")),
    exposure: declared.exposure ?? (access.kind === "session" ? "hidden" : "searchable"),
    whileSuspended: declared.whileSuspended ?? method === "GET",
    errors: declared.errors ?? [],
    description: declared.description,
  };
}

/** The input of a stream: the event to resume after. */
const resumeQuery = {
  lastEventId: optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: "Resumes after the event with this `id`. The header `Last-Event-ID` takes precedence.",
      examples: [41],
    }),
  ),
};

/** An operation that responds with server-sent events. Hidden from MCP, whose tools return a single result. */
export function eventStream<const Name extends string, Allowed extends Access, A extends TProperties>(
  declared: Pick<
    Declaration<Name, None, None, None, A, Allowed, NoFiles>,
    "name" | "area" | "route" | "access" | "description" | "errors"
  > & {
    /** The data of each event, by the event's name. */
    events: A;
  },
): Operation<Name, None, typeof resumeQuery, None, TObject<A>, Allowed, NoFiles> & { streams: true } {
  const { events: response, ...rest } = declared;
  return { ...operation({ ...rest, query: resumeQuery, response, exposure: "hidden" }), streams: true };
}

/** The first sentence of its description. */
export function summaryOf({ description }: Operation): string {
  return /^.+?(?=[.;](\s|$))/.exec(description)?.[0] ?? description;
}

/** Whether the operation changes anything. Quotas, dry runs and idempotency keys apply to writes only. */
export function isWrite(op: Operation): boolean {
  return op.method !== "GET";
}

/** Whether its responses have an `ETag` for conditional requests. */
export function isTagged(op: Operation): boolean {
  return !isWrite(op) && !op.redirects && !op.streams;
}

/** Whether it accepts an Idempotency-Key: writes that require a credential do. */
export function takesIdempotencyKey(op: Operation): boolean {
  return isWrite(op) && op.access.kind !== "anyone";
}

export const subjects = ["post", "comment", "product", "draft", "webhook"] as const;
export type Subject = (typeof subjects)[number];

/** The kind of record that a call is about: the one in the response, or else the one in the path. */
export function subjectOf({ response, path }: Operation): Subject | null {
  const { properties } = response as TObject;
  return (
    subjects.find((subject) => subject in properties) ??
    subjects.find((subject) => path.startsWith(`/api/${subject}s`)) ??
    null
  );
}

/** Whether the operation accepts a form (multipart/form-data). */
export function takesForm(op: Operation): boolean {
  return Object.keys(op.files).length > 0;
}

/** Whether it accepts JSON: if it has fields, and doesn't require a file, which JSON can't contain. */
export function takesJson(op: Operation): boolean {
  const needsFile = Object.values(op.files).some((file) => file.required);
  return !needsFile && Object.keys(op.body.properties).length > 0;
}

/** The list in an operation's response: its field and item schema. Null if there is none or more than one. */
export function listIn({ response }: Operation): { name: string; item: TObject } | null {
  const lists = Object.entries((response as TObject).properties).flatMap(([name, schema]) =>
    Type.IsArray(schema) && Type.IsObject(schema.items) ? [{ name, item: schema.items }] : [],
  );
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

/** What a handler receives and a client sends: path, query and body fields in one flat object, without files. */
export type Input<O> =
  O extends Operation<string, infer P, infer Q, infer B>
    ? Static<TObject<P>> & Static<TObject<Q>> & Static<TObject<B>>
    : never;

export type ResponseOf<O> =
  O extends Operation<string, TProperties, TProperties, TProperties, infer A> ? Static<A> : never;
