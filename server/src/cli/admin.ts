import type { Storage } from "../storage/storage.ts";
import type { Command } from "./command.ts";
import { recordAction } from "./record-action.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const admin: Command = {
  usage: "admin USERNAME",
  description: "Make an account an admin.",
  async run(args, open, terminal) {
    const [username] = args;
    if (!username || args.length > 1) throw new UsageError("Expected one username.");
    terminal.out(await makeAdmin(await open(), username));
  },
};

async function makeAdmin(storage: Storage, username: string): Promise<string> {
  return storage.write(async (tx) => {
    const account = await tx
      .selectFrom("users")
      .select(["id", "username", "role"])
      .where("username_key", "=", username.toLowerCase())
      .executeTakeFirst();
    if (!account) throw new Refusal(`No account named "${username}".`);
    if (account.role === "agent") {
      throw new Refusal(`${account.username} is an agent. Only people can be admins.`);
    }
    if (account.role === "admin") return `${account.username} is already an admin.`;
    await tx.updateTable("users").set({ role: "admin" }).where("id", "=", account.id).execute();
    const { id, username: name } = account;
    await recordAction(tx, "setRole", `user:${id}`, { username: name, role: "admin" });
    return `${account.username} is now an admin.`;
  });
}
