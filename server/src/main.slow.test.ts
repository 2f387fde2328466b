import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeProblem } from "./node-version.mjs";
import { openSqlite } from "./storage/sqlite/sqlite.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "server", "dist", "main.js");
const npmStart = ["npm", "start"];
/** The last step of `npm start`; the others take as long as this one. */
const serviceStart = [process.execPath, main];
let dataDir: string;
let running: ChildProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tandem-main-"));
  await chmod(dataDir, 0o755);
});
afterEach(async () => {
  running?.kill();
  await rm(dataDir, { recursive: true });
});

test("npm start serves, and SIGTERM to npm stops it cleanly", async () => {
  const started = start({ PORT: "0" }, npmStart);
  const output = text(started.stdout);
  const [, address] = await printed(started, /Tandem serves (http:\S+)/);
  const headers = { "x-request-id": "the-last" };
  expect(await (await fetch(`${address}/readyz`, { headers })).json()).toEqual({ ok: true });
  started.kill("SIGTERM");
  expect(await once(started, "exit")).toEqual([0, null]);
  expect(await output).toContain('"request":"the-last"');
  await expect(fetch(`${address}/readyz`)).rejects.toThrow();
  // No one else on the machine can read the data.
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(dataDir))
    expect([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0]);
  // Nothing is left to recover: the write-ahead log was merged into the database.
  expect((await readdir(dataDir)).filter((name) => name !== "log-head.json").sort()).toEqual([
    "secrets.key",
    "tandem.db",
  ]);
});

test("npm start exits with the one-line error of the service", async () => {
  const started = start({ PORT: "many" }, npmStart);
  const [out, err] = [text(started.stdout), text(started.stderr)];
  expect(await once(started, "close")).toEqual([1, null]);
  // npm's banner.
  expect(await out).toMatch(/^(\s*|> .*\n)*$/);
  expect(await err).toBe('PORT must be a whole number from 0 to 65535, not "many".\n');
});

test.each([
  ["DATA_DIR", "/proc/tandem", /^DATA_DIR can't be used: .*\(\/proc\/tandem\)\.$/],
  ["DATA_DIR", "/dev/null/tandem", /^DATA_DIR can't be used: .*\(\/dev\/null\/tandem\)\.$/],
  ["DATABASE_URL", "postgres://127.0.0.1:1/tandem", /^DATABASE_URL can't be used: .*ECONNREFUSED.*\.$/],
  ["HOST", "203.0.113.1", /^PORT or HOST can't be used: .*203\.0\.113\.1.*\.$/],
])("an invalid %s stops the start with only a one-line error", async (name, value, sentence) => {
  expect(await startError({ [name]: value })).toMatch(sentence);
});

test("unreadable settings stop the start with a one-line error", async () => {
  const cwd = join(dataDir, "folder");
  await mkdir(join(cwd, ".env"), { recursive: true });
  const failed = promisify(execFile)(process.execPath, [main], { cwd });
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\.env can't be read: .*\n$/),
  });
});

test("a database that can't be opened stops the start, and what DATA_DIR names by mistake keeps its permissions", async () => {
  const file = join(dataDir, "notes.txt");
  await writeFile(file, "", { mode: 0o644 });
  expect(await startError({ DATA_DIR: file })).toMatch(/^DATA_DIR can't be used: .*\.$/);
  expect((await stat(file)).mode & 0o777).toBe(0o644);
  await mkdir(join(dataDir, "tandem.db"));
  expect(await startError({})).toBe(`DATA_DIR can't be used: unable to open database file (${dataDir}).`);
  // Other users may need the file.
  expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
});

test("a file that is no database stops the start with a one-line error", async () => {
  await writeFile(join(dataDir, "tandem.db"), "no database ".repeat(1000));
  expect(await startError({})).toBe(`DATA_DIR can't be used: file is not a database (${dataDir}).`);
  // A key that nothing is encrypted with would look like the one that is missing.
  expect(await readdir(dataDir)).toEqual(["tandem.db"]);
});

test("a full disk stops the start with a one-line error, which says so", async () => {
  const limited = ["--fsize=200000", process.execPath, main];
  const failed = promisify(execFile)("prlimit", limited, { env: { DATA_DIR: dataDir, PORT: "0" } });
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATA_DIR can't be used: (?:database or disk is full|disk I\/O error) \(.*\)\.\n$/,
    ),
  });
});

test("a database of a newer version stops the start with a one-line error", async () => {
  const file = join(dataDir, "tandem.db");
  await (await openSqlite(file)).close();
  const database = new Database(file);
  database.exec("insert into kysely_migration values ('9999-later', '2099-01-01')");
  database.close();
  expect(await startError({})).toMatch(
    /^The database was migrated by a newer version of Tandem \(9999-later\): .*\.$/,
  );
});

test.each([1, 2])("a port in use stops the start of %i workers with a one-line error", async (workers) => {
  await using taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const sentence = await startError({ PORT: String(port), WORKERS: String(workers), LOG_LEVEL: "info" });
  expect(sentence).toMatch(/^PORT or HOST can't be used: .*already in use.*\.$/);
});

test("a library that can't be loaded stops the start with a one-line error", async () => {
  const hook = `import { registerHooks } from "node:module"; registerHooks({ resolve(name, context, next) {
    if (name !== "better-sqlite3") return next(name, context);
    throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" }); } });`;
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(hook)}"`;
  expect(await startError({ NODE_OPTIONS })).toMatch(
    /^A library can't be loaded \(Cannot find module\): .*npm ci.*\.$/,
  );
});

test("names the running Node.js if it is too old, and the required one", () => {
  expect(nodeProblem("20.20.2")).toMatch(
    /^Tandem needs Node\.js 22\.19 or later, but this is 20\.20\.2: .*\.$/,
  );
  expect(nodeProblem("22.18.0")).not.toBeNull();
  expect(nodeProblem("22.19.0")).toBeNull();
  expect(nodeProblem("26.0.0")).toBeNull();
});

test("gives up after several starts if workers exit immediately", async () => {
  const dying = "data:text/javascript,if(process.send)process.exit(3)";
  const started = start({ PORT: "0", WORKERS: "2", NODE_OPTIONS: `--import "${dying}"` }, serviceStart);
  await printed(started, /No worker could start; the last one ended with exit code 3\./);
  expect(await once(started, "exit")).toEqual([1, null]);
});

function start(env: Record<string, string>, command: string[]): ChildProcessWithoutNullStreams {
  const [program = "", ...args] = command;
  const started = spawn(program, args, {
    cwd: root,
    env: { ...process.env, BASE_URL: "", DATA_DIR: dataDir, ...env },
  });
  running = started;
  return started;
}

/** The error output of a failed start, without the final line feed. Standard output is empty. */
async function startError(env: Record<string, string>): Promise<string> {
  const started = start({ PORT: "0", ...env }, serviceStart);
  const [out, err] = [text(started.stdout), text(started.stderr)];
  expect(await once(started, "close")).toEqual([1, null]);
  expect(await out).toBe("");
  return (await err).replace(/\n$/, "");
}

/** Waits until the process has printed the expected text. */
async function printed(started: ChildProcess, expected: RegExp): Promise<string[]> {
  let text = "";
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      text += chunk;
      const match = expected.exec(text);
      if (match) resolve([...match]);
    };
    started.stdout?.on("data", onData);
    started.stderr?.on("data", onData);
    started.once("exit", () => reject(new Error(`the process ended after printing: ${text}`)));
  });
}
