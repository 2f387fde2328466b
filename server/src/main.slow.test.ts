import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let dataDir: string;
let running: ChildProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tandem-main-"));
});
afterEach(async () => {
  running?.kill();
  await rm(dataDir, { recursive: true });
});

test("npm start serves; SIGTERM, told to npm, ends it in peace", async () => {
  const started = start({ PORT: "0" });
  const [, address] = await said(started, /Tandem serves (http:\S+)/);
  expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ ok: true });
  started.kill("SIGTERM");
  expect(await once(started, "exit")).toEqual([0, null]);
  await expect(fetch(`${address}/readyz`)).rejects.toThrow();
  // Nothing is left to be recovered: the log of writes went into the database.
  expect(await readdir(dataDir)).toEqual(["tandem.db"]);
});

test.each([
  ["PORT", "many", /PORT must be a whole number from 0 to 65535, not "many"\./],
  ["DATA_DIR", "/dev/null/tandem", /DATA_DIR can't be used: .*\/dev\/null\/tandem.*\./],
  ["DATABASE_URL", "postgres://127.0.0.1:1/tandem", /DATABASE_URL can't be used: .*ECONNREFUSED.*\./],
  ["HOST", "203.0.113.1", /PORT or HOST can't be used: .*203\.0\.113\.1.*\./],
])("a wrong %s stops the start with a sentence that names it", async (name, value, sentence) => {
  const started = start({ [name]: value });
  await said(started, sentence);
  expect(await once(started, "exit")).toEqual([1, null]);
});

test("where workers would all fail alike, none begins, and a sentence tells why", async () => {
  const started = start({ HOST: "203.0.113.1", WORKERS: "2" });
  await said(started, /PORT or HOST can't be used: .*203\.0\.113\.1.*\./);
  expect(await once(started, "exit")).toEqual([1, null]);
});

test("workers that end as soon as they begin are tried some times, and then given up", async () => {
  const dying = "data:text/javascript,if(process.send)process.exit(3)";
  const started = start({ PORT: "0", WORKERS: "2", NODE_OPTIONS: `--import "${dying}"` });
  await said(started, /No worker could begin to serve; the last ended with exit code 3\./);
  expect(await once(started, "exit")).toEqual([1, null]);
});

function start(env: Record<string, string>): ChildProcess {
  running = spawn("npm", ["start"], {
    cwd: root,
    env: { ...process.env, BASE_URL: "", DATA_DIR: dataDir, ...env },
  });
  return running;
}

/** Waits until the process has said what is expected of it. */
async function said(started: ChildProcess, expected: RegExp): Promise<string[]> {
  let text = "";
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      text += chunk;
      const found = expected.exec(text);
      if (found) resolve([...found]);
    };
    started.stdout?.on("data", hear);
    started.stderr?.on("data", hear);
    started.once("exit", () => reject(new Error(`it ended, and had said: ${text}`)));
  });
}
