import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Callers } from "@tandem/testing/callers";
import { addPeople } from "./people.ts";
import type { Recorded, Recording } from "./replay.ts";
import { postBody } from "./rows.ts";
import { startService } from "./service.ts";
import { openWorld } from "./world.ts";

/** Something that is measured in turns. */
export interface Subject extends AsyncDisposable {
  pid: number;
  /** The process of PostgreSQL, if it is used. */
  database?: number;
  run(seconds: number): Promise<{ count: number; rate: number }>;
}

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Writes to record, by as many accounts. Some are dropped because a background job ran in the middle. */
const RECORDINGS = 60;
/** Milliseconds after the start in which many jobs run. */
const STARTING = 3000;

/** Repeats the statements of posts or likes on a database of its own, without the service. SQLite only. */
export async function writeBaseline(kind: "post" | "like", posts: number): Promise<Subject> {
  const world = await openWorld("sqlite", posts);
  const people = await addPeople(world);
  const file = join(world.directory, "statements");
  const recorded = join(world.directory, "recorded.json");
  const preload = `--import=${pathOf("record-statements.mjs")}`;
  {
    await using service = await startService(world, { NODE_OPTIONS: preload, STATEMENTS_FILE: file });
    const lines = () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []);
    const recordings: Recording[] = [];
    await pause(STARTING);
    for (const [i, { cookie }] of people.writers.slice(0, RECORDINGS).entries()) {
      const caller = new Callers(service.baseUrl).with({ cookie });
      const before = lines().length;
      const id = kind === "post" ? (await caller.createPost(postBody(i))).post.id : (people.ownPosts[i] ?? 0);
      if (kind === "like") await caller.likePost({ id });
      const statements = lines()
        .slice(before)
        .map((line) => JSON.parse(line) as Recording["statements"][number]);
      recordings.push({ statements, id });
    }
    const content: Recorded = {
      recordings: usual(recordings),
      last: recordings.at(-1)?.id ?? 0,
      ...(kind === "like" && { ids: people.ownPosts.slice(RECORDINGS) }),
    };
    await writeFile(recorded, JSON.stringify(content));
  }
  const child = spawn(
    process.execPath,
    [pathOf("replay.ts"), join(world.env.DATA_DIR, "tandem.db"), recorded],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const answers = createInterface({ input: child.stdout });
  return {
    pid: child.pid ?? 0,
    async run(seconds) {
      child.stdin.write(`${seconds}\n`);
      const [line] = await Promise.race([once(answers, "line"), once(child, "exit").then(() => ["{}"])]);
      const done = JSON.parse(line) as { count: number; seconds: number };
      return { count: done.count, rate: done.count / done.seconds };
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Those with as many statements as most. */
function usual(recordings: Recording[]): Recording[] {
  const lengths = recordings.map(({ statements }) => statements.length).toSorted((a, b) => a - b);
  const most = lengths[Math.floor(lengths.length / 2)] ?? 0;
  if (most === 0) throw new Error("No statements were recorded");
  return recordings.filter(({ statements }) => statements.length === most);
}
