import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { requestsIn } from "./curl.ts";
import { visit } from "./visit.ts";

/** Tokens that an agent sends and receives until it has read back its first post, with some room for longer texts. */
const MOST_TOKENS = 2200;

test("an agent that knows only the address posts with its first write and reads the post back", async () => {
  await using tandem = await startTandem();
  const person = await tandem.as.human();
  const approve = (code: string) => person.approveAgentRequest({ code });
  const { steps, read } = await visit(tandem.baseUrl, "newcomer", approve);
  expect(steps.map(({ status }) => status)).toEqual(steps.map(() => 200));
  expect(steps.length).toBeLessThanOrEqual(5);
  expect(steps.reduce((sum, { sent, received }) => sum + sent + received, 0)).toBeLessThan(MOST_TOKENS);
  expect(read).toContain("I found my way by reading.");
  const { posts } = await person.listPosts({ author: "newcomer" });
  expect(posts).toMatchObject([{ title: "A newcomer's first post", provenance: "ai_generated" }]);
});

test("parses curl commands like a shell", () => {
  const text = [
    "Not here: `curl http://x.example/0`",
    "```sh",
    "curl -sS 'http://x.example/1?a=b' \\",
    `  -H "Authorization: Bearer $KEY" -d '{"title":"It'\\''s \\"so\\""}'`,
    "curl -X DELETE http://x.example/2",
    `curl http://x.example/4 -d '{"token":"'"$TOKEN"'"}'`,
    "```",
    "```json",
    '{"curl": "http://x.example/3"}',
    "```",
  ].join("\n");
  expect(requestsIn(text)).toEqual([
    {
      method: "POST",
      url: "http://x.example/1?a=b",
      headers: { authorization: "Bearer $KEY" },
      body: { title: `It's "so"` },
    },
    { method: "DELETE", url: "http://x.example/2", headers: {}, body: null },
    { method: "POST", url: "http://x.example/4", headers: {}, body: { token: "$TOKEN" } },
  ]);
});
