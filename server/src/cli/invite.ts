import { parseArgs } from "node:util";
import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { readConfig } from "../config.ts";
import { addInvitation, asInvitation } from "../features/accounts/invitations.queries.ts";
import type { Command } from "./command.ts";
import { recordAction } from "./record-action.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const invite: Command = {
  usage: "invite [--uses N] [--days N]",
  description: `Create an invitation to sign up, and print its link. By default, one person can use it within ${limits.invitationDays.default} days.`,
  async run(args, open, terminal, env) {
    const { uses, days } = readOptions(args);
    const { baseUrl, host, port, registration } = readConfig(env);
    if (registration === "closed")
      throw new Refusal("No one can sign up while REGISTRATION is closed, not even with an invitation.");
    const { write } = await open();
    const now = Date.now();
    const row = await write(async (tx) => {
      const added = await addInvitation(tx, { userId: null, uses, expiresAt: now + days * DAY, now });
      await recordAction(tx, "createInvitation", `invitation:${added.id}`, { uses, days });
      return added;
    });
    terminal.out(asInvitation(row, baseUrl ?? `http://${host}:${port}`).url);
  },
};

function readOptions(args: string[]): { uses: number; days: number } {
  const options = { uses: { type: "string" }, days: { type: "string" } } as const;
  const { values } = parse(() => parseArgs({ args, options }));
  return {
    uses: wholeNumber("--uses", values.uses ?? "1", limits.invitationUses.admin),
    days: wholeNumber(
      "--days",
      values.days ?? String(limits.invitationDays.default),
      limits.invitationDays.max,
    ),
  };
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, given: string, max: number): number {
  const value = /^\d+$/.test(given) ? Number(given) : 0;
  if (value < 1 || value > max) throw new UsageError(`${name} must be a whole number from 1 to ${max}.`);
  return value;
}
