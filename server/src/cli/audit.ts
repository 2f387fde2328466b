import { firstBroken } from "../features/moderation/chain.ts";
import type { Command } from "./command.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const audit: Command = {
  usage: "audit verify",
  description:
    "Verify the audit log: report any entry that was changed or removed. Store the printed hash elsewhere to detect later whether entries at the end were removed.",
  async run(args, open, terminal) {
    if (args[0] !== "verify" || args.length > 1) throw new UsageError("Expected `audit verify`.");
    const storage = await open();
    const { entries, broken, last } = await firstBroken(storage.read);
    if (broken !== null)
      throw new Refusal(`The audit log is broken at entry ${broken}. Entries up to ${entries} are intact.`);
    terminal.out(
      `The audit log is intact: ${entries} ${entries === 1 ? "entry" : "entries"}${last === "" ? "" : `, last hash ${last}`}.`,
    );
  },
};
