import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { drawPicture, inFolder } from "@tandem/testing/pictures";
import { until } from "@tandem/testing/ports";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { InvalidMedia } from "./invalid-media.ts";
import { MediaBusy, runInWorker } from "./worker-pool.ts";

const execute = promisify(execFile);

test("a task that times out is stopped, and the next one runs", async () => {
  await withPicture(async (path, outDir) => {
    const task = { path, outDir, mark: null };
    await expect(runInWorker("preparePicture", task, 0.001)).rejects.toThrow(InvalidMedia);
    expect(await runInWorker("inspectPicture", { path })).toMatchObject({ type: "png" });
  });
});

test("a task whose worker is killed, while it starts or works, runs once more", async () => {
  await withPicture(async (path, outDir) => {
    await killAll();
    for (const kill of [killNext, killWorking]) {
      const task = runInWorker("preparePicture", { path, outDir, mark: null });
      await kill("SIGKILL");
      expect(await task).toMatchObject({ width: 6000 });
    }
  });
});

test.each([
  ["killed", "SIGKILL", MediaBusy],
  ["ended by its own error", "SIGSEGV", InvalidMedia],
] as const)("a task whose worker is %s twice fails", async (_, signal, failure) => {
  await withPicture(async (path, outDir) => {
    const task = runInWorker("preparePicture", { path, outDir, mark: null }).catch((error: unknown) => error);
    for (let attempt = 0; attempt < 2; attempt++) await killWorking(signal);
    expect(await task).toBeInstanceOf(failure);
    expect(await runInWorker("inspectPicture", { path })).toMatchObject({ type: "png" });
  });
});

test("an upload whose workers are killed while they start is refused with 503, and can be repeated", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const image = new Blob([new Uint8Array(await picture)]);
  const upload = () => ada.call("createPost", { title: "A loom", image });
  await killAll();
  let isAnswered = false;
  const answer = upload().finally(() => {
    isAnswered = true;
  });
  await until(async () => {
    await killAll();
    return isAnswered;
  });
  const { status, body, headers } = await answer;
  expect([status, body.code]).toEqual([503, "overloaded"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await upload()).status).toBe(200);
});

test("an idle worker that dies isn't used again", async () => {
  await withPicture(async (path) => {
    await runInWorker("inspectPicture", { path });
    await killAll();
    expect(await runInWorker("inspectPicture", { path })).toMatchObject({ type: "png" });
  });
});

test("our own errors aren't reported as invalid files", async () => {
  await withPicture(async (path) => {
    const nowhere = { path, outDir: "/nowhere/at/all", mark: null };
    const fault = await runInWorker("preparePicture", nowhere).catch((error: unknown) => error);
    expect(fault).not.toBeInstanceOf(InvalidMedia);
    expect(String(fault)).toContain("ENOENT");
  });
});

test("a full disk is reported as such", async () => {
  await withPicture(async (path, outDir) => {
    await symlink("/dev/full", join(outDir, "full.webp"));
    const task = runInWorker("preparePicture", { path, outDir, mark: null });
    await expect(task).rejects.toMatchObject({ code: "ENOSPC" });
  });
});

test("tasks beyond the queue's limit fail as busy, and the others succeed", async () => {
  await withPicture(async (path) => {
    const tasks = Array.from({ length: 100 }, () => runInWorker("inspectPicture", { path }));
    const results = await Promise.allSettled(tasks);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(MediaBusy);
    expect(results.length - refused.length).toBeGreaterThanOrEqual(64);
    expect((await helpers()).length).toBeLessThanOrEqual(4);
  });
});

test("workers get no settings and don't keep the process alive", async () => {
  const module = new URL("pictures.ts", import.meta.url).href;
  await withPicture(async (path) => {
    const code = `
      const { inspectPicture } = await import(${JSON.stringify(module)});
      await inspectPicture(${JSON.stringify(path)});
      const { readFile } = await import("node:fs/promises");
      const [id] = (await readFile("/proc/self/task/" + process.pid + "/children", "utf8")).trim().split(" ").slice(-1);
      console.log((await readFile("/proc/" + id + "/environ", "utf8")).includes("a-secret"), id);`;
    const args = ["--input-type=module", "-e", code];
    const env = { ...process.env, DATABASE_PASSWORD: "a-secret" };
    // Resolves when that process has exited by itself.
    const { stdout } = await execute(process.execPath, args, { env });
    const [state, id] = stdout.trim().split(" ");
    expect(state).toBe("false");
    await until(async () => !(await isAlive(Number(id))));
  });
});

function isAlive(id: number): Promise<boolean> {
  return readFile(`/proc/${id}/stat`, "utf8").then(
    (line) => !/\) Z /.test(line),
    () => false,
  );
}

/** The worker processes of this process. */
async function helpers(): Promise<number[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, "utf8");
  const ids = children.split(" ").filter(Boolean).map(Number);
  const commands = await Promise.all(
    // One that has just ended is missing or has no command.
    ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  return ids.filter((_, i) => commands[i]?.includes("worker-main.ts"));
}

const killed = new Set<number>();

/** Returns once no worker is left, also of those that start meanwhile. */
async function killAll(): Promise<void> {
  for (let ids = await helpers(); ids.length > 0; ids = await helpers())
    for (const id of ids) {
      if (killed.has(id)) continue;
      killed.add(id);
      process.kill(id, "SIGKILL");
    }
}

/** Kills the next worker that starts. */
async function killNext(signal: NodeJS.Signals): Promise<void> {
  await until(async () => {
    const id = (await helpers()).find((one) => !killed.has(one));
    if (id === undefined) return false;
    killed.add(id);
    process.kill(id, signal);
    return true;
  });
}

/** Kills the worker once it works. */
async function killWorking(signal: NodeJS.Signals): Promise<void> {
  let since: Awaited<ReturnType<typeof busy>> | undefined;
  await until(async () => {
    const [id] = (await helpers()).filter((one) => !killed.has(one));
    // A worker that has started has raised this score.
    if (id === undefined || (await readFile(`/proc/${id}/oom_score_adj`, "utf8")) !== "1000\n") return false;
    const now = await busy();
    since ??= now;
    if (now.ticks < since.ticks + 5) return false;
    killed.add(id);
    process.kill(id, signal);
    return true;
  });
}

/** Worker processes with their CPU time, in hundredths of a second. */
async function busy(): Promise<{ ids: number[]; ticks: number }> {
  const ids = await helpers();
  const states = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8")));
  const ticks = states.map((state) => Number(state.slice(state.lastIndexOf(")")).split(" ")[12]));
  return { ids, ticks: ticks.reduce((sum, one) => sum + one, 0) };
}

/** A picture that takes a second to prepare. */
const picture = drawPicture({ type: "png", width: 6000, height: 4000 });

async function withPicture(use: (path: string, outDir: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "sent");
    await writeFile(path, await picture);
    await use(path, folder);
  });
}
