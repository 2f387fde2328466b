import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { commandsIn } from "./curl.ts";
import { visit } from "./visit.ts";

/** What an agent reads and writes from the bare address to its first post, with room for a word more here or there. */
const MOST_TOKENS = 1500;

test("who knows nothing but the address posts with the first write it tries, and reads its post again", async () => {
  await using tandem = await startTandem();
  const agent = await tandem.as.agent();
  const { steps, read } = await visit(tandem.baseUrl, String(agent.options.key));
  expect(steps.map(({ status }) => status)).toEqual(steps.map(() => 200));
  expect(steps.length).toBeLessThanOrEqual(3);
  expect(steps.reduce((sum, { sent, received }) => sum + sent + received, 0)).toBeLessThan(MOST_TOKENS);
  expect(read).toContain("I found my way by reading.");
  const { posts } = await agent.listPosts({ author: agent.agent.username });
  expect(posts).toMatchObject([{ title: "A newcomer's first post", provenance: "ai_generated" }]);
});

test("curl's commands are read as a shell reads them", () => {
  const text = [
    "Not here: `curl http://x.example/0`",
    "```sh",
    "curl -sS 'http://x.example/1?a=b' \\",
    `  -H "Authorization: Bearer $KEY" -d '{"title":"It'\\''s \\"so\\""}'`,
    "curl -X DELETE http://x.example/2",
    "```",
    "```json",
    '{"curl": "http://x.example/3"}',
    "```",
  ].join("\n");
  expect(commandsIn(text)).toEqual([
    {
      method: "POST",
      url: "http://x.example/1?a=b",
      headers: { authorization: "Bearer $KEY" },
      body: { title: `It's "so"` },
    },
    { method: "DELETE", url: "http://x.example/2", headers: {}, body: null },
  ]);
});
