import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const features = fileURLToPath(new URL("..", import.meta.url));

/** The modules that read `byAi`, and what for. Marks are decided in `shared/authorship.ts` alone. */
const readers: Record<string, string> = {
  "shared/authorship.ts": "decides all marks",
  "comments/comments.ts": "logs a new comment with its mark",
  "account-export/export-parts.ts": "exports who acted",
  "likes/likes.ts": "counts likes by AI; a like is no text",
  "notifications/notifications.queries.ts": "says who acted",
  "posts/closed-polls.ts": "says that no key or agent closed a poll: time did",
  "posts/polls.ts": "keeps whether AI voted; a vote is no text",
  "posts/repost-lists.ts": "says who reposted",
  "posts/reposts.ts": "keeps whether AI reposted; a repost is no text",
  "publishing/publish.ts": "records the activity of keys and agents",
  "publishing/drafts.queries.ts": "makes the caller that publishes a draft, from the draft's mark",
  "tags/tag-uses.ts": "counts hashtags that people use",
  "versions/keep-versions.ts": "says who made a version",
  "versions/list-versions.ts": "shows a key's name to its person, not to programs",
  "webhooks/sender.queries.ts": "says who acted",
};

test("only authorship.ts decides what is AI content", () => {
  const found = globSync("**/*.ts", { cwd: features })
    .filter((file) => !file.endsWith(".test.ts"))
    .filter((file) => /\bbyAi\b/.test(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")))
    .map((file) => relative(".", file));
  expect(found.sort()).toEqual(Object.keys(readers).sort());
});
