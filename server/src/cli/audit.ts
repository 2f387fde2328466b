import { firstBroken } from "../features/moderation/chain.ts";
import type { Command } from "./command.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const audit: Command = {
  usage: "audit verify",
  description:
    "Follows the record of what admins did from its beginning, and tells whether any entry was changed or is missing. The last hash, kept elsewhere, tells later whether the end is missing.",
  async run(args, open, terminal) {
    if (args[0] !== "verify" || args.length > 1) throw new UsageError("audit takes verify.");
    const storage = await open();
    const { entries, broken, last } = await firstBroken(storage.read);
    if (broken !== null)
      throw new Refusal(`The record is broken at entry ${broken}: up to ${entries} it is as it was written.`);
    terminal.out(
      `The record is whole: ${entries} ${entries === 1 ? "entry" : "entries"}${last === "" ? "" : `, the last ${last}`}.`,
    );
  },
};
