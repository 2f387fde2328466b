import { DAY } from "@tandem/contract/durations";
import type { Input } from "@tandem/contract/operation";
import { type OperationName, type Operations, operations } from "@tandem/contract/operations";
import fc from "fast-check";
import { marksIn } from "./authorship-marks.ts";
import {
  type Account,
  type Actor,
  accountOf,
  actors,
  type Item,
  isAi,
  type Said,
  type World,
} from "./authorship-model.ts";
import type { Person } from "./callers.ts";

/** One step of a history, and how its call is made. */

const decisions = ["approve", "edit and approve", "decline"] as const;

/** Which target and field a step means depends on what there is then. */
export interface Step<Write extends string = string> {
  write: Write;
  actor: Actor;
  target: number;
  other: number;
  field: number;
  declared: Said;
  /** What the person decides if the call waits for approval. */
  decision: (typeof decisions)[number];
}

export type Write = (world: World, step: Step) => Promise<void>;

export const stepArbitrary = <W extends string>(write: fc.Arbitrary<W>): fc.Arbitrary<Step<W>> =>
  fc.record({
    write,
    // Many of the steps are the person's, so that there is something for keys to touch.
    actor: fc.oneof(fc.constant<Actor>("ada"), fc.constantFrom<Actor>(...actors)),
    target: fc.nat(9),
    other: fc.nat(9),
    field: fc.nat(9),
    declared: fc.constantFrom<Said>("human", "human", "ai_assisted", "ai_generated"),
    decision: fc.constantFrom(...decisions),
  });

let serial = 0;
/** A new token by this step's actor. */
export function newToken({ introducedByAi }: World, { actor }: Pick<Step, "actor">): string {
  const token = `tok${++serial}x`;
  introducedByAi.set(token, isAi(actor));
  return token;
}

/** The value of a field that contains a token. No address leads anywhere. */
export function textFor(field: string, token: string): string | string[] | NewPoll {
  if (field === "alts") return [token];
  if (field === "poll")
    return { options: [token, "Other"], closesAt: new Date(Date.now() + DAY).toISOString() };
  return field.toLowerCase().endsWith("url") ? `http://127.0.0.9/${token}` : token;
}

interface NewPoll {
  options: string[];
  closesAt: string;
}

interface Ids {
  postId: number | null;
  commentId: number | null;
  productId: number | null;
  body: Record<string, unknown>;
}

/** The operations, and their fields as `operation.field`, that some step has sent. */
export const sentInputs = new Set<string>();

function noteSent(name: OperationName, input: object): void {
  sentInputs.add(name);
  for (const [field, value] of Object.entries(input))
    if (value !== null && value !== undefined) sentInputs.add(`${name}.${field}`);
}

/** Makes the call as the actor. Null if it was refused or declined. */
export async function send(
  world: World,
  step: Step,
  name: OperationName,
  input: object,
): Promise<Ids | null> {
  const { actor } = step;
  const { status, body } =
    actor === "mcp" ? await sendByMcp(world, name, input) : await world.callers[actor].call(name, input);
  if (status >= 500) throw new Error(`${name}: ${JSON.stringify(body)}`);
  if (status !== 200 && status !== 202) return null;
  noteSent(name, input);
  if (status === 202) return decide(world, step, Number((body.pending as { draftId: number }).draftId));
  world.answers.push(...marksIn(body));
  return idsIn(body);
}

async function sendByMcp({ mcp, callers }: World, name: OperationName, input: object) {
  // Tools take no blobs.
  if (Object.values(input).some((value) => value instanceof Blob)) return callers.key.call(name, input);
  const result = await mcp.call(...toolCall(name, input));
  return { status: result.isError ? 400 : 200, body: result.structuredContent ?? {} };
}

/** The MCP tool for an operation, and its arguments. */
export function toolCall(name: OperationName, input: object): [string, Record<string, unknown>] {
  if (operations[name].exposure !== "tool") return ["tandem_call_operation", { operation: name, input }];
  return [`tandem_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`, { ...input }];
}

async function decide({ ada, bob, answers }: World, { decision }: Step, id: number): Promise<Ids | null> {
  if (decision === "edit and approve") {
    const [draft] = (await ada.listDrafts({ limit: 1 })).drafts;
    if (draft?.operation === "createPost") {
      const hasPicture = draft.mediaUrl !== null;
      await editByPerson(ada, {
        id,
        body: `For @${bob.user.username}, by a person.`,
        ...(hasPicture && { alt: "By a person." }),
      });
      if (hasPicture) await editByPerson(ada, { id, alts: ["By a person."] });
    }
  }
  if (decision === "decline") {
    await ada.deleteDraft({ id });
    return null;
  }
  const { status, body } = await ada.call("approveDraft", { id });
  if (status !== 200) return null;
  answers.push(...marksIn(body));
  return idsIn(body);
}

async function editByPerson(ada: Person, input: Input<Operations["editDraft"]>): Promise<void> {
  await ada.editDraft(input);
  noteSent("editDraft", input);
}

function idsIn(body: Record<string, unknown>): Ids {
  const id = (name: string) => {
    const named = body[name] as { id: number } | null | undefined;
    return named?.id ?? (body[`${name}Id`] as number | null | undefined) ?? null;
  };
  return { postId: id("post"), commentId: id("comment"), productId: id("product"), body };
}

/** The target that a number means. */
export const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

export const ownedBy = <T extends { account: Account }>(all: readonly T[], { actor }: Step): T[] =>
  all.filter(({ account }) => account === accountOf(actor));

export function touch(item: Pick<Item, "ai">, { actor }: Step): void {
  if (isAi(actor)) item.ai = true;
}

/** What a new item by the actor has in common with others. */
export const made = ({ actor }: Step) => ({
  account: accountOf(actor),
  ai: isAi(actor),
  declared: "human" as Said,
});

/** Only a person's session can declare. */
export const declaring = ({ actor, declared }: Step) => ({
  declared: isAi(actor) ? ("human" as const) : declared,
  input: declared === "human" ? {} : { provenance: declared },
});

/** Sends a new text for one of the fields. The first field's token is the item's own. Null if it was refused. */
export async function editField<T extends Pick<Item, "token" | "more" | "ai"> & { id: number }>(
  world: World,
  step: Step,
  name: OperationName,
  { item, fields }: { item: T | undefined; fields: readonly [string, ...string[]] },
): Promise<string | null> {
  const field = fields[step.field % fields.length] ?? fields[0];
  const token = newToken(world, step);
  const input = item && { id: item.id, [field]: textFor(field, token) };
  if (!item || !(await send(world, step, name, input ?? {}))) return null;
  if (field === fields[0]) item.token = token;
  else item.more = new Map(item.more).set(field, token);
  touch(item, step);
  return field;
}

/** Removes an item from a list of the world. */
export function remove<T>(items: T[], item: T): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
