import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Environment, readConfig } from "../config.ts";
import { openStore } from "../media/open-store.ts";
import type { Command, Terminal } from "./command.ts";
import { startProgress } from "./progress.ts";
import { UsageError } from "./refusal.ts";
import type { Wall } from "./seed/gallery.ts";
import { DEFAULT_AT, DEFAULT_SEED, DEMO_PASSWORD, type Seeded, seed as seedWorld } from "./seed/seed.ts";

const DEFAULT_POSTS = 2000;
const MOST_POSTS = 100_000_000;

const asked = {
  posts: { type: "string", default: String(DEFAULT_POSTS) },
  seed: { type: "string", default: DEFAULT_SEED },
  at: { type: "string", default: new Date(DEFAULT_AT).toISOString() },
} as const;

export const seed: Command = {
  usage: "seed [--posts N] [--seed WORD] [--at TIME]",
  description: [
    "Fills an empty database with a demo world: people, agents, posts of every kind with pictures, threads, likes,",
    "follows, friends, messages, drafts, reports.",
    `N posts (${DEFAULT_POSTS}) that end at TIME (${asked.at.default}, or "now"); the same N, WORD and TIME give the`,
    "same world.",
    "Refuses where there are accounts or posts. Everybody's password is known: never for a public service.",
  ].join("\n"),
  async run(args, open, terminal, env) {
    const options = read(args);
    const storage = await open();
    const progress = startProgress(terminal, "posts", options.posts);
    try {
      const seeded = await seedWorld(storage, { ...options, wall: wallOf(env), onProgress: progress.update });
      progress.stop();
      report(terminal, seeded);
    } finally {
      progress.stop();
    }
  },
};

/** Where the service keeps its media. */
function wallOf(env: Environment): Wall {
  const config = readConfig(env);
  const incoming = join(config.dataDir, "incoming");
  return { store: openStore(config, incoming), incoming };
}

function read(args: string[]) {
  const values = parse(args);
  const posts = /^\d+$/.test(values.posts) ? Number(values.posts) : Number.NaN;
  if (!(posts >= 1 && posts <= MOST_POSTS)) {
    throw new UsageError(`--posts must be a whole number from 1 to ${MOST_POSTS}, not "${values.posts}".`);
  }
  const at = values.at === "now" ? Date.now() : Date.parse(values.at);
  // Before 2010 a big world would begin before 1970 does.
  if (!(at >= Date.UTC(2010) && at < Date.UTC(2100))) {
    throw new UsageError(`--at must be a time such as ${asked.at.default}, not "${values.at}".`);
  }
  return { posts, seed: values.seed, at };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: asked }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function report({ out }: Terminal, made: Seeded): void {
  const count = (n: number) => n.toLocaleString("en");
  out(
    `${count(made.posts)} posts by ${count(made.accounts - made.agents)} people, ${count(made.agents)} agents`,
  );
  out(`and ${count(made.authorsElsewhere)} authors elsewhere, with ${count(made.comments)} comments`);
  out(`and ${count(made.likes)} likes.`);
  out(`Log in as ${made.person}, as ${made.operator} (who operates an agent), as ${made.admin} (an admin)`);
  out(`or as any other person with the password ${DEMO_PASSWORD}.`);
}
