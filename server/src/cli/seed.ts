import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Environment, readConfig } from "../config.ts";
import { openStore } from "../media/open-store.ts";
import type { Command, Terminal } from "./command.ts";
import { startProgress } from "./progress.ts";
import { UsageError } from "./refusal.ts";
import { DEFAULT_SEED, DEMO_PASSWORD, type Seeded, seed as seedDatabase } from "./seed/seed.ts";
import type { PictureStore } from "./seed/store-pictures.ts";

const DEFAULT_POSTS = 2000;
const MAX_POSTS = 100_000_000;
const EXAMPLE_TIME = "2026-01-31T12:00:00Z";

const optionTypes = {
  posts: { type: "string", default: String(DEFAULT_POSTS) },
  seed: { type: "string", default: DEFAULT_SEED },
  // So live streams have just begun, and activity is recent enough to be kept.
  at: { type: "string", default: "now" },
} as const;

export const seed: Command = {
  usage: "seed [--posts N] [--seed WORD] [--at TIME]",
  description: [
    "Fill an empty database with demo data: people, agents, posts of every kind with pictures, comments, likes,",
    "follows, lists, collections, saved searches, friends, mutes, messages, drafts and reports.",
    `Creates N posts (default ${DEFAULT_POSTS}), the last at TIME, such as ${EXAMPLE_TIME} (default ${optionTypes.at.default}).`,
    "The same N, WORD and TIME always create the same data.",
    "Fails if there are accounts or posts. All accounts have a known password: never use it on a public service.",
  ].join("\n"),
  createsDatabase: true,
  async run(args, open, terminal, env) {
    const options = readOptions(args);
    const storage = await open();
    const progress = startProgress(terminal, "posts", options.posts);
    try {
      const seeded = await seedDatabase(storage, {
        ...options,
        pictureStore: pictureStoreOf(env),
        onProgress: progress.update,
      });
      progress.stop();
      report(terminal, seeded);
    } finally {
      progress.stop();
    }
  },
};

/** The configured media store. */
function pictureStoreOf(env: Environment): PictureStore {
  const config = readConfig(env);
  const incoming = join(config.dataDir, "incoming");
  return { store: openStore(config, incoming), incoming };
}

function readOptions(args: string[]) {
  const values = parse(args);
  const posts = /^\d+$/.test(values.posts) ? Number(values.posts) : Number.NaN;
  if (!(posts >= 1 && posts <= MAX_POSTS)) {
    throw new UsageError(`--posts must be a whole number from 1 to ${MAX_POSTS}, not "${values.posts}".`);
  }
  const at = values.at === "now" ? Date.now() : Date.parse(values.at);
  // With an earlier end, a large data set would start before 1970.
  if (!(at >= Date.UTC(2010) && at < Date.UTC(2100))) {
    throw new UsageError(`--at must be "now" or a time such as ${EXAMPLE_TIME}, not "${values.at}".`);
  }
  return { posts, seed: values.seed, at };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: optionTypes }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function report({ out }: Terminal, seeded: Seeded): void {
  const count = (n: number) => n.toLocaleString("en");
  out(
    `${count(seeded.posts)} posts by ${count(seeded.accounts - seeded.agents)} people, ${count(seeded.agents)} agents`,
  );
  out(`and ${count(seeded.externalAuthors)} external authors, with ${count(seeded.comments)} comments`);
  out(`and ${count(seeded.likes)} likes.`);
  out(`Log in as ${seeded.person}, ${seeded.operator} (operates an agent), ${seeded.admin} (an admin)`);
  out(`or any other person, with the password ${DEMO_PASSWORD}.`);
}
