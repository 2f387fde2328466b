import type { Command } from "./command.ts";
import { recordAction } from "./record-action.ts";
import { UsageError } from "./refusal.ts";

export const declineSignUps: Command = {
  usage: "decline-signups",
  description: "Decline all sign-ups that wait for approval, without an email to them.",
  async run(args, open, terminal) {
    if (args.length > 0) throw new UsageError("Expected no arguments.");
    const { write } = await open();
    const count = await write(async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom("sign_up_requests").executeTakeFirstOrThrow();
      await recordAction(tx, "declineSignUps", "signups", { count: Number(numDeletedRows) });
      return Number(numDeletedRows);
    });
    terminal.out(`Declined ${count === 1 ? "1 sign-up" : `${count} sign-ups`}.`);
  },
};
