import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Callers } from "@tandem/testing/callers";
import { addPeople, type People } from "./people.ts";
import type { Recorded } from "./replay.ts";
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

/** Recordings of each write: a background job may run in the middle of one, so the shortest counts. */
const TRIES = 10;
/** Milliseconds after the start in which many jobs run. */
const STARTING = 3000;

/** Repeats the statements that one post or like makes on a database of its own, without the service. SQLite only. */
export async function writeBaseline(kind: "post" | "like", posts: number): Promise<Subject> {
  const world = await openWorld("sqlite", posts);
  const people = await addPeople(world);
  const file = join(world.directory, "statements");
  const recorded = join(world.directory, "recorded.json");
  const preload = `--import=${pathOf("record-statements.mjs")}`;
  {
    await using service = await startService(world, { NODE_OPTIONS: preload, STATEMENTS_FILE: file });
    const caller = new Callers(service.baseUrl).with({ cookie: people.writers[0]?.cookie ?? "" });
    const lines = () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []);
    const writes: Recorded[] = [];
    await pause(STARTING);
    for (let i = 0; i < TRIES; i++) {
      const before = lines().length;
      const id = kind === "post" ? (await caller.createPost(postBody(i))).post.id : (people.ownPosts[i] ?? 0);
      if (kind === "like") await caller.likePost({ id });
      const statements = lines()
        .slice(before)
        .map((line) => JSON.parse(line) as Recorded["statements"][number]);
      writes.push({ statements, id, last: id });
    }
    const shortest = writes.toSorted((a, b) => a.statements.length - b.statements.length)[0];
    if (!shortest || shortest.statements.length === 0)
      throw new Error(`No statements of a ${kind} were recorded`);
    const last = writes.at(-1)?.id ?? 0;
    await writeFile(recorded, JSON.stringify({ ...shortest, last, ...(kind === "like" && likes(people)) }));
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

/** Every like of the round is by the account whose like was recorded; likes of the demo data by others stay. */
function likes({ ownPosts, writers }: People): Pick<Recorded, "ids" | "undo"> {
  return { ids: ownPosts, undo: `delete from post_likes where user_id = ${writers[0]?.id}` };
}
