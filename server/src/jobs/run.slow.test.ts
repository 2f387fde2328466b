import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { HOUR } from "@tandem/contract/durations";
import { eventually } from "@tandem/testing/eventually";
import { createDatabase } from "@tandem/testing/postgres";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import type { Services } from "../http/services.ts";
import { openStorage } from "../storage/open.ts";
import type { Job } from "./job.ts";
import { type Pace, runJobs, type StopJobs } from "./run.ts";

describe.each(engines)("background jobs on %s", (engine) => {
  let env: Record<string, string>;
  let used: AsyncDisposable[];
  let stops: StopJobs[];
  let children: ChildProcess[];

  beforeEach(async () => {
    const directory = await temporaryDirectory();
    const database = engine === "postgres" ? await createDatabase() : null;
    env = { LOG_LEVEL: "silent", DATA_DIR: directory.path, ...(database && { DATABASE_URL: database.url }) };
    used = [directory, ...(database ? [database] : [])];
    [stops, children] = [[], []];
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    for (const child of children) if (child.kill("SIGKILL")) await once(child, "exit");
    for (const one of used.toReversed()) await one[Symbol.asyncDispose]();
  });

  /** As a process of its own would have it: a storage that shares nothing with the others but the database. */
  async function moveIn(): Promise<Services> {
    const config = readConfig(env);
    const storage = await openStorage(config);
    used.push({ [Symbol.asyncDispose]: () => storage.close() });
    return createApp({ config, storage }).services;
  }

  function begin(services: Services, job: Job, pace: Partial<Pace> = {}): StopJobs {
    const stop = runJobs(services, [job], { lease: 30_000, retry: 20, ...pace });
    stops.push(stop);
    return stop;
  }

  const rowOf = ({ storage }: Services) =>
    storage.read.selectFrom("jobs").selectAll().where("name", "=", "test").executeTakeFirstOrThrow();

  test("are run by one of many, each time that they are due", async () => {
    const runs: { from: number; to: number }[] = [];
    const job: Job = {
      name: "test",
      every: 100,
      async run({ storage }) {
        const from = performance.now();
        await storage.read.selectFrom("users").select("id").execute();
        runs.push({ from, to: performance.now() });
      },
    };
    for (let i = 0; i < 3; i++) begin(await moveIn(), job);
    await eventually(() => expect(runs.length).toBeGreaterThanOrEqual(6));
    const pauses = runs.slice(1).map(({ from }, i) => from - (runs[i]?.to ?? Number.NaN));
    // The database counts whole milliseconds.
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(99);
  });

  test("that fail are tried again sooner than usual, later with each failure, until they succeed", async () => {
    const services = await moveIn();
    const failures: number[] = [];
    const job: Job = {
      name: "test",
      every: HOUR,
      async run() {
        failures.push((await rowOf(services)).failures);
        if (failures.length < 4) throw new Error("no luck");
      },
    };
    begin(services, job);
    await eventually(async () => expect(await rowOf(services)).toMatchObject({ failures: 0, holder: null }));
    expect(failures).toEqual([0, 1, 2, 3]);
  });

  test("that another has taken over are told to end, and leave the other's lease alone", async () => {
    const services = await moveIn();
    let ended = false;
    const run = async (_: Services, signal: AbortSignal) => {
      await once(signal, "abort");
      ended = true;
    };
    const stop = begin(services, { name: "test", every: 50, run }, { lease: 300 });
    await eventually(async () => expect((await rowOf(services)).holder).not.toBe(null));
    const others = { holder: "another", lease_ends_at: Date.now() + HOUR, due_at: 7 };
    await services.storage.write((tx) => tx.updateTable("jobs").set(others).execute());
    await eventually(() => expect(ended).toBe(true));
    await stop();
    expect(await rowOf(services)).toMatchObject(others);
  });

  test("are told to end when the database can't be reached for so long that another may have begun", async () => {
    const services = await moveIn();
    let away = false;
    const storage: Services["storage"] = {
      ...services.storage,
      write: async (work) => {
        if (away) throw new Error("the database went away");
        return services.storage.write(work);
      },
    };
    const ends: string[] = [];
    const run = async (_: Services, signal: AbortSignal) => {
      away = ends.length === 0;
      if (away) await once(signal, "abort");
      away = false;
      ends.push(signal.aborted ? signal.reason.message : "well");
    };
    begin({ ...services, storage }, { name: "test", every: HOUR, run }, { lease: 300 });
    // The first wasn't counted.
    await eventually(() => expect(ends).toEqual(["the lease ran out", "well"]));
  });

  test("that run when the service stops are told to end, and are another's to begin at once", async () => {
    const [first, second] = [await moveIn(), await moveIn()];
    const began: Services[] = [];
    const run = async (services: Services, signal: AbortSignal) => {
      began.push(services);
      await once(signal, "abort");
    };
    const stop = begin(first, { name: "test", every: HOUR, run });
    await eventually(() => expect(began).toEqual([first]));
    await stop();
    expect(await rowOf(first)).toMatchObject({ holder: null, failures: 0 });
    begin(second, { name: "test", every: HOUR, run });
    await eventually(() => expect(began).toEqual([first, second]));
  });

  test("are taken over from a process that was killed, and from none that lives", async () => {
    const lease = 2000;
    const said: ChildProcess[] = [];
    const script = fileURLToPath(import.meta.resolve("@tandem/testing/lasting-job"));
    const start = () => {
      const args = [script, String(lease)];
      const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
      children.push(child);
      return new Promise<void>((resolve) => {
        createInterface({ input: child.stdout }).on("line", (line) => {
          if (line === "runs") said.push(child);
          else resolve();
        });
      });
    };
    const services = await moveIn();
    await Promise.all([start(), start()]);
    await eventually(() => expect(said).toHaveLength(1));
    const lasting = () =>
      services.storage.read
        .selectFrom("jobs")
        .selectAll()
        .where("name", "=", "lasting")
        .executeTakeFirstOrThrow();
    // Renewed, and the lease that both saw first is over.
    const { lease_ends_at: first, holder } = await lasting();
    await eventually(async () => expect((await lasting()).lease_ends_at).toBeGreaterThan(first + lease));
    expect(said).toHaveLength(1);
    said[0]?.kill("SIGKILL");
    await eventually(() => expect(said).toHaveLength(2));
    expect(said[1]).not.toBe(said[0]);
    expect((await lasting()).holder).not.toBe(holder);
  }, 120_000);
});
