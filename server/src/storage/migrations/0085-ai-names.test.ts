import { engines, startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { aiNames } from "./0085-ai-names.ts";

test.each(engines)(
  "existing names that keys of people wrote, on %s, stay on the profile only",
  async (engine) => {
    // Prepared statements would break: normally no service runs during a migration.
    await using tandem = await startTandem(engine, { env: { DATABASE_PREPARES: "0" } });
    const [ada, bob] = [await tandem.as.human("ada_l"), await tandem.as.human("bob")];
    const agent = await tandem.as.agent(ada, "loom_bot");
    const writers = [ada, bob, agent];
    for (const writer of writers) await writer.editProfile({ displayName: "Weaver" });
    const posts = await Promise.all(writers.map((writer) => writer.createPost({ title: "On looms" })));
    await tandem.storage.write(async (tx) => {
      await tx.updateTable("users").set({ display_name_is_ai: 1 }).where("username", "<>", "bob").execute();
      await tx.schema.alterTable("users").dropColumn("ai_display_name").execute();
      await aiNames(tx);
    });
    const names = posts.map(async ({ post: { id } }) => (await bob.readPost({ id })).post.authorName);
    expect(await Promise.all(names)).toEqual([undefined, "Weaver", "Weaver"]);
    const { creator } = await bob.readCreator({ platform: "native", author: "ada_l" });
    expect(creator).toMatchObject({ displayName: "Weaver", aiGeneratedFields: ["displayName"] });
  },
);
