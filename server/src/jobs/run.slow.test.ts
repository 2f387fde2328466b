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

  /** The services of another process: only the database is shared. */
  async function startServices(): Promise<Services> {
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

  test("run in one of several processes each time they are due", async () => {
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
    for (let i = 0; i < 3; i++) begin(await startServices(), job);
    await eventually(() => expect(runs.length).toBeGreaterThanOrEqual(6));
    const pauses = runs.slice(1).map(({ from }, i) => from - (runs[i]?.to ?? Number.NaN));
    // The database counts whole milliseconds.
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(99);
  });

  test("that fail are retried with increasing delays until they succeed", async () => {
    const services = await startServices();
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
    const counted = async (outcome: string) =>
      (await services.metrics.getSingleMetric("tandem_job_runs_total")?.get())?.values.find(
        ({ labels }) => labels.name === "test" && labels.outcome === outcome,
      )?.value;
    await eventually(async () => expect([await counted("failed"), await counted("done")]).toEqual([3, 1]));
  });

  test("are aborted if another process has taken over, and don't change its lease", async () => {
    const services = await startServices();
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

  test("are aborted if the database is unreachable until their lease expires", async () => {
    const services = await startServices();
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
    // The first attempt isn't counted as a failure.
    await eventually(() => expect(ends).toEqual(["the lease ran out", "well"]));
  });

  test("are aborted when the service stops, and can be started elsewhere immediately", async () => {
    const [first, second] = [await startServices(), await startServices()];
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

  test("that the service's stop interrupts are no errors in its log, which still has what failed", async () => {
    const services = await startServices();
    for (const failure of [null, new Error("failed meanwhile")]) {
      const lines: unknown[] = [];
      const log = {
        ...services.log,
        info: (facts: unknown, text: unknown) => lines.push([facts, text]),
        error: (...line: unknown[]) => lines.push(line),
      } as unknown as Services["log"];
      let hasBegun = false;
      const run = async (_: Services, signal: AbortSignal) => {
        hasBegun = true;
        await once(signal, "abort");
        if (failure) throw failure;
      };
      const stop = begin({ ...services, log }, { name: "test", every: HOUR, run });
      await eventually(() => expect(hasBegun).toBe(true));
      await stop();
      const facts = { job: "test", ...(failure && { err: failure }) };
      expect(lines).toEqual([[facts, "a job was interrupted by the stop, and will run again"]]);
    }
  });

  test("are taken over only from a process that was killed", async () => {
    const lease = 2000;
    const holders: ChildProcess[] = [];
    const script = fileURLToPath(import.meta.resolve("@tandem/testing/lasting-job"));
    const { NODE_COMPILE_CACHE } = process.env;
    const start = () => {
      const args = [script, String(lease)];
      const options = { env: { ...env, NODE_COMPILE_CACHE } };
      const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
      children.push(child);
      return new Promise<void>((resolve) => {
        createInterface({ input: child.stdout }).on("line", (line) => {
          if (line === "runs") holders.push(child);
          else resolve();
        });
      });
    };
    const services = await startServices();
    await Promise.all([start(), start()]);
    await eventually(() => expect(holders).toHaveLength(1));
    const lasting = () =>
      services.storage.read
        .selectFrom("jobs")
        .selectAll()
        .where("name", "=", "lasting")
        .executeTakeFirstOrThrow();
    // The lease was renewed: the first one has expired.
    const { lease_ends_at: first, holder } = await lasting();
    await eventually(async () => expect((await lasting()).lease_ends_at).toBeGreaterThan(first + lease));
    expect(holders).toHaveLength(1);
    holders[0]?.kill("SIGKILL");
    await eventually(() => expect(holders).toHaveLength(2));
    expect(holders[1]).not.toBe(holders[0]);
    expect((await lasting()).holder).not.toBe(holder);
  });
});
