import { createHash, randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { outcome, PendingApproval } from "@tandem/client/index";
import { DERIVED_KEY_PREFIX } from "@tandem/contract/idempotency";
import { listIn, type Operation } from "@tandem/contract/operation";
import { ArgumentError } from "./argument-error.ts";
import { type Arguments, checkArguments } from "./arguments.ts";
import { type ClientResponse, callThroughClient } from "./call-through-client.ts";
import type { Connection } from "./connection.ts";
import { failed, failureOf } from "./failure.ts";
import { openFiles } from "./files.ts";
import { createsDuplicates, DRY_RUN_ARGUMENT, KEY_ARGUMENT } from "./input-schema.ts";
import { renderText } from "./render-text.ts";
import { isObject } from "./schema-utils.ts";
import { NOTICE } from "./user-text.ts";
import { shownFields, userTextIn, viewOf } from "./view.ts";

export const USER_TEXT_META = "tandem/userText";

/** The default page size, for lists whose own default would take too many tokens. */
const PAGE_SIZE = 20;

/** Calls an operation with a tool's arguments. Errors that the caller can correct are returned as a result that says how. */
export async function callOperation(
  connection: Connection,
  op: Operation,
  args: Arguments,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    return await perform(connection, op, checkArguments(op, args, connection.files), signal);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return failed({ error: error.message, code: "invalid_input", field: error.field });
  }
}

async function perform(connection: Connection, op: Operation, args: Arguments, signal: AbortSignal) {
  const { [DRY_RUN_ARGUMENT]: dryRun = false, [KEY_ARGUMENT]: ownKey, ...rest } = args;
  // Reject anything else, such as "true": it must not execute what was meant as a dry run.
  if (typeof dryRun !== "boolean")
    throw new ArgumentError(`${DRY_RUN_ARGUMENT} must be true or false.`, DRY_RUN_ARGUMENT);
  const { blobs, fingerprints } = await openFiles(op, rest, connection.files);
  const input = { ...listDefaults(op), ...rest, ...blobs };
  const idempotencyKey = idempotencyKeyOf(op, ownKey, [rest, fingerprints]);
  const call = { dryRun, idempotencyKey, signal };
  const result = await outcome(callThroughClient(connection.client, op, input, call));
  if (result.ok) return success(op, result.response);
  return result.error instanceof PendingApproval ? pending(result.error, dryRun) : failureOf(result.error);
}

/** For lists: a short page, and only the fields that are shown. */
function listDefaults(op: Operation): Arguments {
  const list = listIn(op);
  return {
    ...("limit" in op.query.properties && { limit: PAGE_SIZE }),
    ...(list && "fields" in op.query.properties && { fields: shownFields(list.item).join(",") }),
  };
}

/**
 * For operations that create something, the key is derived from the arguments: a model that repeats a call because it got
 * no response doesn't post twice, unless what the first call created was deleted. Operations that set or overwrite get a new
 * key per call.
 */
function idempotencyKeyOf(op: Operation, ownKey: unknown, args: unknown): string {
  if (!createsDuplicates(op)) return randomUUID();
  if (ownKey !== undefined && typeof ownKey !== "string")
    throw new ArgumentError(`${KEY_ARGUMENT} must be a string.`, KEY_ARGUMENT);
  const seed = JSON.stringify([op.name, ownKey ?? null, args], sorted);
  return `${DERIVED_KEY_PREFIX}${createHash("sha256").update(seed).digest("base64url")}`;
}

/** Sorts fields, so that their order makes no difference. */
function sorted(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Not an error: the model must not call again. A dry run leaves no draft, so none is named. */
function pending({ draftId, operation }: PendingApproval, dryRun: boolean): CallToolResult {
  const message = dryRun
    ? "Dry run: nothing was done. The real call would wait for your operator's approval."
    : `NOT done yet: draft ${draftId} waits for your operator's approval. Don't call again: the operation readDraft says what was decided.`;
  const structuredContent = dryRun
    ? { pending: { operation, message }, dryRun }
    : { pending: { draftId, operation, message } };
  return { content: [{ type: "text", text: message }], structuredContent };
}

function success(op: Operation, { response, replayed }: ClientResponse): CallToolResult {
  const view = viewOf(op.response, response);
  const userText = userTextIn(op.response);
  const text = [
    replayed &&
      `Already done: this is the result of the first call. To do it again, pass another ${KEY_ARGUMENT}.`,
    userText.length > 0 && NOTICE,
    renderText(op.response, view),
  ];
  return {
    content: [{ type: "text", text: text.filter(Boolean).join("\n") }],
    structuredContent: view,
    ...(userText.length > 0 && { _meta: { [USER_TEXT_META]: userText } }),
  };
}
