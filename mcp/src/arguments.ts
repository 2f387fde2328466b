import type { Operation } from "@tandem/contract/operation";
import { ArgumentError } from "./argument-error.ts";
import { inputSchema } from "./input-schema.ts";

export type Arguments = Record<string, unknown>;

/** A tool's arguments, fit to be sent: the service judges the rest. Throws `Refused`. */
export function judged(op: Operation, args: Arguments, files: boolean): Arguments {
  judgeNames(op, args, files);
  const given = withoutNulls(op, args);
  judgeAddress(op, given);
  return given;
}

/** The service ignores what it doesn't know; a model that misspells a name should hear of it. */
function judgeNames(op: Operation, args: Arguments, files: boolean): void {
  const known = Object.keys(inputSchema(op, files).properties as object);
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const takes = known.length > 0 ? `It takes ${known.join(", ")}.` : "It takes none.";
  throw new ArgumentError(`There is no argument ${JSON.stringify(unknown)}. ${takes}`, unknown);
}

/** A query has no null: who sends one, as many models do for what they leave out, doesn't mean the word. */
function withoutNulls({ query }: Operation, args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || !(name in query.properties)),
  );
}

/** Dots alone make the address another operation's, and half a character or a list of things makes none at all. */
function judgeAddress({ params, query }: Operation, args: Arguments): void {
  const [bad] = Object.keys(args).filter((name) => {
    const inPath = name in params.properties;
    if (!inPath && !(name in query.properties)) return false;
    const value = args[name];
    return typeof value === "object" || (inPath && /^\.{0,2}$|\p{Surrogate}/u.test(String(value)));
  });
  if (bad !== undefined) throw new ArgumentError(`${bad} can't stand in an address.`, bad);
}
