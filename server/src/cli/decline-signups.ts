import { dropSignUpRequests } from "../features/accounts/sign-up-requests.queries.ts";
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
      const declined = await dropSignUpRequests(tx);
      await recordAction(tx, "declineSignUps", "signups", { count: declined });
      return declined;
    });
    terminal.out(`Declined ${count === 1 ? "1 sign-up" : `${count} sign-ups`}.`);
  },
};
