import type { Operation } from "@tandem/contract/operation";
import { unknownName } from "@tandem/contract/unknown-fields";
import { ArgumentError } from "./argument-error.ts";
import type { FileAccess } from "./files.ts";
import { inputSchema } from "./input-schema.ts";
import { isObject } from "./schema-utils.ts";
import { withoutDelimiters } from "./user-text.ts";

export type Arguments = Record<string, unknown>;

/**
 * Checks a tool's arguments as far as the service can't, and removes nulls, and the delimiters of texts that a result contained.
 * Throws {@link ArgumentError}.
 */
export function checkArguments(op: Operation, args: Arguments, access: FileAccess): Arguments {
  checkNames(op, args, access);
  const present = unquoted(withoutNulls(op, args)) as Arguments;
  checkAddress(op, present);
  return present;
}

/** The service would name what it takes, but a tool takes other names: not all fields, and arguments of its own. */
function checkNames(op: Operation, args: Arguments, access: FileAccess): void {
  const takes = Object.keys(inputSchema(op, access).properties as object);
  const unknown = Object.keys(args).find((name) => !takes.includes(name));
  if (unknown === undefined) return;
  throw new ArgumentError(unknownName("There is no argument", unknown, { what: "The tool", takes }), unknown);
}

/** Queries have no null. Many models send null for arguments that they mean to leave out. */
function withoutNulls({ query }: Operation, args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || !(name in query.properties)),
  );
}

/** A model passes on usernames and texts as results show them, alone or within its own words. */
function unquoted(value: unknown): unknown {
  if (typeof value === "string") return withoutDelimiters(value);
  if (Array.isArray(value)) return value.map(unquoted);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unquoted(item)]))
    : value;
}

/** `.` and `..` would address another operation, and unpaired surrogates, lists and objects can't be part of a URL. */
function checkAddress({ params, query }: Operation, args: Arguments): void {
  const [bad] = Object.keys(args).filter((name) => {
    const inPath = name in params.properties;
    if (!inPath && !(name in query.properties)) return false;
    const value = args[name];
    return typeof value === "object" || (inPath && /^\.{0,2}$|\p{Surrogate}/u.test(String(value)));
  });
  if (bad !== undefined) throw new ArgumentError(`${bad} isn't valid in a URL.`, bad);
}
