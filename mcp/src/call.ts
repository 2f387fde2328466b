import { createHash, randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { outcome } from "@tandem/client/index";
import { listIn, type Operation } from "@tandem/contract/operation";
import { ArgumentError } from "./argument-error.ts";
import { type Arguments, judged } from "./arguments.ts";
import { type ClientAnswer, callClient } from "./call-client.ts";
import type { Connection } from "./connection.ts";
import { isObject } from "./facts.ts";
import { failed, failureOf } from "./failure.ts";
import { openFiles } from "./files.ts";
import { DRY_RUN_ARGUMENT, KEY_ARGUMENT, makesCopies } from "./input-schema.ts";
import { renderText } from "./render-text.ts";
import { NOTICE, userTextIn } from "./user-text.ts";
import { shownFields, viewOf } from "./view.ts";

export const USER_TEXT_META = "tandem/userText";

/** Items on a page that nobody gave a size: lists that have a longer default are long to read. */
const PAGE = 20;

/** Calls an operation with a tool's arguments. What the caller can put right comes back as a result that says how. */
export async function callOperation(
  connection: Connection,
  op: Operation,
  args: Arguments,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    return await perform(connection, op, judged(op, args, connection.files), signal);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return failed({ error: error.message, code: "invalid_input", field: error.field });
  }
}

async function perform(connection: Connection, op: Operation, args: Arguments, signal: AbortSignal) {
  const { [DRY_RUN_ARGUMENT]: dryRun = false, [KEY_ARGUMENT]: given, ...rest } = args;
  // A word that was meant for one must not do for real what was to be rehearsed.
  if (typeof dryRun !== "boolean")
    throw new ArgumentError(`${DRY_RUN_ARGUMENT} must be true or false.`, DRY_RUN_ARGUMENT);
  const { blobs, marks } = await openFiles(op, rest);
  const input = { ...pageOf(op), ...rest, ...blobs };
  const idempotencyKey = keyOf(op, given, [rest, marks]);
  const call = { dryRun, idempotencyKey, signal };
  const came = await outcome(callClient(connection.client, op, input, call));
  return came.ok ? success(op, came.answer) : failureOf(came.error);
}

/** Of a list, as much as is read with ease, and only what is shown. */
function pageOf(op: Operation): Arguments {
  const list = listIn(op);
  return {
    ...("limit" in op.query.properties && { limit: PAGE }),
    ...(list && "fields" in op.query.properties && { fields: shownFields(list.item).join(",") }),
  };
}

/**
 * Where a call makes something out of what it says, the same words get the first one's answer: a model that calls again
 * because it heard nothing doesn't post twice. Where it only sets or overwrites, each call is one of its own.
 */
function keyOf(op: Operation, given: unknown, said: unknown): string {
  if (!makesCopies(op)) return randomUUID();
  if (given !== undefined && typeof given !== "string")
    throw new ArgumentError(`${KEY_ARGUMENT} must be text.`, KEY_ARGUMENT);
  const seed = JSON.stringify([op.name, given ?? null, said], sorted);
  return `mcp-${createHash("sha256").update(seed).digest("base64url")}`;
}

/** Fields in one order: two calls are the same in whatever order they name them. */
function sorted(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function success(op: Operation, { answer, replayed }: ClientAnswer): CallToolResult {
  const view = viewOf(op.answer, answer);
  const userText = userTextIn(op.answer);
  const text = [
    replayed &&
      `Done before: this is the first call's answer. For a second one, pass another ${KEY_ARGUMENT}.`,
    userText.length > 0 && NOTICE,
    renderText(op.answer, view),
  ];
  return {
    content: [{ type: "text", text: text.filter(Boolean).join("\n") }],
    structuredContent: view,
    ...(userText.length > 0 && { _meta: { [USER_TEXT_META]: userText } }),
  };
}
