import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";
import type { Area } from "./areas.ts";
import type { ErrorCode } from "./errors.ts";
import type { Files } from "./files.ts";
import { MAX_ID, optional } from "./schema.ts";
import type { Scope } from "./scopes.ts";
import type { Quota } from "./tiers.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Who may call an operation. A session's owner may all that is not barred to agents or kept for keys. */
export type Access =
  | { kind: "anyone" }
  | { kind: "caller" }
  | { kind: "scope"; scope: Scope; or?: Scope }
  | { kind: "session"; agents: boolean; admins?: true }
  | { kind: "key" };

/**
 * What a call leaves behind. `adds`: something new with each call; `sets`: a state that a second call doesn't change, and
 * that can be taken back; `overwrites`: something was there, and is gone for good.
 */
export type Effect = "reads" | "adds" | "sets" | "overwrites";

/** How a language model gets at it: by a tool of its `own`, by those that find and call the rest, or not at all. */
export type Exposure = "own" | "found" | "none";

type Of<Kind extends Access["kind"]> = Extract<Access, { kind: Kind }>;

/** No credential needed. */
export const anyone: Of<"anyone"> = { kind: "anyone" };
/** Any key or session. */
export const signedIn: Of<"caller"> = { kind: "caller" };
/** A key that carries the scope, or the other one where there is one, or any session. */
export const scope = (name: Scope, or?: Scope): Of<"scope"> => ({
  kind: "scope",
  scope: name,
  ...(or && { or }),
});
/** The scopes any one of which will do. */
export const scopesOf = ({ scope, or }: Of<"scope">): Scope[] => (or ? [scope, or] : [scope]);
/** A session, of a person or of an agent; keys get `session_required`. */
export const sessionOnly: Of<"session"> = { kind: "session", agents: true };
/** A person's session; keys get `session_required`, an agent's session `agent_forbidden`. */
export const peopleOnly: Of<"session"> = { kind: "session", agents: false };
/** An admin's session; other people get `forbidden`. */
export const adminsOnly: Of<"session"> = { kind: "session", agents: false, admins: true };
/** A key, whatever its scopes. */
export const keyOnly: Of<"key"> = { kind: "key" };

/** One operation, declared once. Routes, checks, documents and clients are derived from it. */
export interface Operation<
  Name extends string = string,
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TProperties = TProperties,
  Answer extends TSchema = TSchema,
  Allowed extends Access = Access,
  Sent extends Files = Files,
> {
  name: Name;
  /** The noun that the documents list it under. */
  area: Area;
  method: Method;
  /** With `{name}` for each path parameter. */
  path: string;
  access: Allowed;
  /** The daily quota its calls draw on, besides the writes a minute that every write draws on. */
  quota: Quota | null;
  params: TObject<Params>;
  query: TObject<Query>;
  body: TObject<Body>;
  /** What comes as files: then a form with the body's fields and these is taken, beside JSON. */
  files: Sent;
  /** The body of a 200; for a redirect, where it leads; for a stream, what each of its events holds, by the event's name. */
  answer: Answer;
  redirects: boolean;
  /** Whether the answer goes on, event after event, for as long as the caller listens (see {@link eventStream}). */
  streams: boolean;
  effect: Effect;
  tool: Exposure;
  /** Whether a suspended account may do it: what it needs to be heard, and to leave. */
  whileSuspended: boolean;
  /** The codes beyond those that access and shape imply. */
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
  answer: A;
  redirects?: true;
  /** Left out: a POST adds, a PATCH or DELETE overwrites. */
  effect?: Exclude<Effect, "reads">;
  /** Left out: found, where keys may call it. */
  tool?: Exclude<Exposure, "found">;
  /** Left out: a suspended account may not, unless it only reads. */
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
      (access.kind === "scope" && access.scope === "engagement:write" ? "engagement" : null),
    params: Type.Object(declared.params ?? ({} as P)),
    query: Type.Object(declared.query ?? ({} as Q)),
    body: Type.Object(declared.body ?? ({} as B)),
    files: declared.files ?? ({} as Sent),
    answer: Type.Object(declared.answer),
    redirects: declared.redirects ?? false,
    streams: false,
    effect: method === "GET" ? "reads" : (declared.effect ?? (method === "POST" ? "adds" : "overwrites")),
    tool: declared.tool ?? (access.kind === "session" ? "none" : "found"),
    whileSuspended: declared.whileSuspended ?? method === "GET",
    errors: declared.errors ?? [],
    description: declared.description,
  };
}

/** What a client sends to be told what it missed since an event; the header of that purpose counts before it. */
const resuming = {
  lastEventId: optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description:
        "The `id` of the last event that came, as the header `Last-Event-ID` has it, which counts first.",
      examples: [41],
    }),
  ),
};

/** An operation whose answer is a stream of server-sent events. A language model calls and is answered: it has no use for one. */
export function eventStream<const Name extends string, Allowed extends Access, A extends TProperties>(
  declared: Pick<
    Declaration<Name, None, None, None, A, Allowed, NoFiles>,
    "name" | "area" | "route" | "access" | "description" | "errors"
  > & {
    /** What each event holds, by its name. */
    events: A;
  },
): Operation<Name, None, typeof resuming, None, TObject<A>, Allowed, NoFiles> & { streams: true } {
  const { events: answer, ...rest } = declared;
  return { ...operation({ ...rest, query: resuming, answer, tool: "none" }), streams: true };
}

/** Whether the operation changes anything: what quotas, dry runs and idempotency keys apply to. */
export function isWrite(op: Operation): boolean {
  return op.method !== "GET";
}

/** Whether its answers carry an `ETag`, by which a client that has one already is spared it. */
export function isTagged(op: Operation): boolean {
  return !isWrite(op) && !op.redirects && !op.streams;
}

/** A write that only callers with a credential make: what an Idempotency-Key is for. */
export function takesIdempotencyKey(op: Operation): boolean {
  return isWrite(op) && op.access.kind !== "anyone";
}

const subjects = ["post", "comment", "product", "draft"] as const;
export type Subject = (typeof subjects)[number];

/** What kind of record a call is about: the one that it answers with, or else that of its path. */
export function subjectOf({ answer, path }: Operation): Subject | null {
  const { properties } = answer as TObject;
  return (
    subjects.find((one) => one in properties) ??
    subjects.find((one) => path.startsWith(`/api/${one}s`)) ??
    null
  );
}

/** Whether the operation takes a form (multipart/form-data). */
export function takesForm(op: Operation): boolean {
  return Object.keys(op.files).length > 0;
}

/** Whether it takes fields as JSON: JSON holds no file, so not where it can't do without one. */
export function takesJson(op: Operation): boolean {
  const needsFile = Object.values(op.files).some((file) => file.required);
  return !needsFile && Object.keys(op.body.properties).length > 0;
}

/** The list that an operation's answer holds, and what its items are; null where it holds none, or several. */
export function listIn({ answer }: Operation): { name: string; item: TObject } | null {
  const lists = Object.entries((answer as TObject).properties).flatMap(([name, schema]) =>
    Type.IsArray(schema) && Type.IsObject(schema.items) ? [{ name, item: schema.items }] : [],
  );
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

/** What a handler receives and a client sends: path, query and body in one flat object; files apart. */
export type Input<O> =
  O extends Operation<string, infer P, infer Q, infer B>
    ? Static<TObject<P>> & Static<TObject<Q>> & Static<TObject<B>>
    : never;

export type Answer<O> =
  O extends Operation<string, TProperties, TProperties, TProperties, infer A> ? Static<A> : never;
