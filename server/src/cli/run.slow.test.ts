import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { originNames } from "@tandem/contract/origins";
import { rssFeed } from "@tandem/testing/import-setup";
import { Origin } from "@tandem/testing/origin";
import { copyDatabase } from "@tandem/testing/sqlite";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "./run.ts";

let dataDir: string;
let settings: Record<string, string>;

beforeEach(async () => {
  settings = {};
  dataDir = await mkdtemp(join(tmpdir(), "tandem-cli-"));
});

afterEach(() => rm(dataDir, { recursive: true }));

/** Runs a command and returns its exit code and output. */
async function tandem(...args: string[]) {
  const output = { out: "", error: "" };
  const code = await run(
    args,
    { DATA_DIR: dataDir, LOG_LEVEL: "silent", ...settings },
    {
      out: (line) => {
        output.out += `${line}\n`;
      },
      error: (line) => {
        output.error += `${line}\n`;
      },
      interactive: false,
    },
  );
  return { code, ...output };
}

test("lists the commands if none or an unknown one is given", async () => {
  expect(await tandem()).toMatchObject({
    code: 2,
    out: "",
    error: expect.stringContaining("admin USERNAME"),
  });
  const unknown = await tandem("toString");
  expect(unknown).toMatchObject({ code: 2, error: expect.stringContaining('Unknown command "toString"') });
});

test("help prints the usage and exits with 0", async () => {
  for (const args of [["help"], ["--help"], ["seed", "--help"]]) {
    expect(await tandem(...args)).toMatchObject({
      code: 0,
      out: expect.stringContaining("seed [--posts"),
      error: "",
    });
  }
});

test("help for one command covers only that command", async () => {
  const { out } = await tandem("source", "--help");
  expect(out).toMatch(/^ {2}source add URL/);
  expect(out).not.toContain("seed");
});

test("admin makes a person an admin, ignoring case, while the service runs", async () => {
  await using service = await startTandem("sqlite", { dataDir });
  const ada = await service.as.human("Ada");
  expect(await tandem("admin", "aDA")).toEqual({ code: 0, out: "Ada is now an admin.\n", error: "" });
  expect((await ada.me({})).user.role).toBe("admin");
  expect(await tandem("admin", "ada")).toMatchObject({ code: 0, out: "Ada is already an admin.\n" });
});

test("commands are recorded in the audit log, which can be verified", async () => {
  await using service = await startTandem("sqlite", { dataDir });
  const ada = await service.as.human("Ada");
  expect(await tandem("audit", "verify")).toMatchObject({ out: "The audit log is intact: 0 entries.\n" });
  await tandem("admin", "ada");
  const [entry] = (await ada.listAudit({})).entries;
  expect(entry).toMatchObject({ actor: "(command line)", act: "setRole", target: `user:${ada.user.id}` });
  const whole = `The audit log is intact: 1 entry, last hash ${entry?.hash}.\n`;
  expect(await tandem("audit", "verify")).toEqual({ code: 0, out: whole, error: "" });
  const forged = { id: 3, at: 0, actor: "nobody", act: "nothing", detail: "{}", before: "", hash: "" };
  await service.storage.write((tx) => tx.insertInto("audit_log").values(forged).execute());
  expect(await tandem("audit", "verify")).toMatchObject({
    code: 1,
    error: expect.stringContaining("broken at entry 3"),
  });
  expect(await tandem("audit", "mend")).toMatchObject({ code: 2 });
});

test("admin rejects an unknown name and an agent with a one-line error", async () => {
  await using service = await startTandem("sqlite", { dataDir });
  await service.as.agent(undefined, "helper");
  expect(await tandem("admin", "nobody")).toEqual({
    code: 1,
    out: "",
    error: 'No account named "nobody".\n',
  });
  expect(await tandem("admin", "helper")).toEqual({
    code: 1,
    out: "",
    error: "helper is an agent. Only people can be admins.\n",
  });
});

test("invite prints a link that works", async () => {
  await using service = await startTandem("sqlite", { dataDir, env: { REGISTRATION: "invitation" } });
  const { code, out } = await tandem("invite", "--uses", "1");
  const [, invitation = ""] = /^http:.*\/signup#invitation=(\S+)\n$/.exec(out) ?? [];
  const newcomer = { username: "ada", email: "ada@example.org", password: "correct horse", invitation };
  const { user } = await service.as.anonymous().signUp(newcomer);
  expect([code, user?.username]).toEqual([0, "ada"]);
  expect(await tandem("invite", "--days", "0")).toMatchObject({ code: 2 });
  settings = { REGISTRATION: "closed" };
  expect(await tandem("invite")).toMatchObject({ code: 1, error: expect.stringContaining("closed") });
});

test("decline-signups empties the list, and records it", async () => {
  await using service = await startTandem("sqlite", { dataDir, env: { REGISTRATION: "approval" } });
  for (const username of ["spam1", "spam2"])
    await service.as
      .anonymous()
      .signUp({ username, email: `${username}@example.org`, password: "correct horse" });
  expect(await tandem("decline-signups")).toMatchObject({ code: 0, out: "Declined 2 sign-ups.\n" });
  expect(await tandem("decline-signups", "all")).toMatchObject({ code: 2 });
  const { read } = service.storage;
  expect(await read.selectFrom("sign_up_requests").select("id").execute()).toEqual([]);
  const entries = await read.selectFrom("audit_log").select(["act", "detail"]).execute();
  expect(entries).toEqual([{ act: "declineSignUps", detail: '{"count":2}' }]);
});

test("admin exits with 2 without a name or with two", async () => {
  for (const args of [[], ["a", "b"]]) expect(await tandem("admin", ...args)).toMatchObject({ code: 2 });
});

test("source and ingest import posts without a running service, and report errors", async () => {
  await copyDatabase(dataDir);
  await using origin = await Origin.start();
  const good = origin.show("/feed.xml", { body: rssFeed([{ id: "a" }, { id: "b" }]) });
  const bad = origin.show("/bad.xml", { body: rssFeed([]) });
  settings = { OUTGOING_ALLOW: "127.0.0.0/8", SOURCES_SPACING: "0" };
  expect(await tandem("source", "add", good)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`1  rss  new  Example Weekly  ${good}`),
  });
  expect(await tandem("source", "add", good)).toMatchObject({
    code: 1,
    error: "This is already a source: number 1.\n",
  });
  expect(await tandem("source", "add", bad)).toMatchObject({ code: 0 });
  origin.show("/bad.xml", { status: 500 });
  const first = await tandem("ingest");
  expect(first).toMatchObject({ code: 0, out: `1  ${good}  2 seen: 2 new, 0 changed, 0 withdrawn\n` });
  expect(first.error).toMatch(/^2 {2}.*500/);
  expect(await tandem("ingest")).toEqual({ code: 0, out: "", error: "" });
  expect((await tandem("ingest", "--all")).out).toContain("0 new");
  expect((await tandem("source", "list")).out).toMatch(
    /^2 {2}rss {2}failing.*\n {4}.*500.*\n1 {2}rss {2}working/,
  );
  const file = join(dataDir, "sources.opml");
  expect(await tandem("source", "export", file)).toMatchObject({ code: 0 });
  expect(await tandem("source", "export", file)).toMatchObject({
    code: 1,
    error: `${file} can't be written: it already exists.\n`,
  });
  expect((await tandem("source", "import", file)).out).toMatch(
    /^1 {2}existing .*\n2 {2}existing .*\n0 of 2 added/,
  );
  const none = join(dataDir, "none");
  expect(await tandem("source", "import", none)).toMatchObject({
    code: 1,
    error: `${none} can't be read: there is no such file or folder.\n`,
  });
  await writeFile(none, "not a list");
  expect(await tandem("source", "import", none)).toMatchObject({
    code: 1,
    error: `${none} can't be read. It isn't an OPML file.\n`,
  });
  expect((await tandem("source", "disable", "1")).out).toContain("disabled");
  expect((await tandem("source", "enable", "1")).out).toContain("working");
  expect((await tandem("source", "poll", "1")).code).toBe(0);
  expect((await tandem("source", "remove", "2")).out).toContain("removing");
  await tandem("ingest");
  expect((await tandem("source", "list")).out.split("\n")).toHaveLength(2);
  expect(await tandem("source", "poll", "9")).toMatchObject({ code: 1, error: "There is no such source.\n" });
});

test("source demo adds a disabled source of each platform", async () => {
  await copyDatabase(dataDir);
  const lines = (await tandem("source", "demo")).out.trim().split("\n");
  expect(lines.map((line) => line.split("  ").slice(1, 3))).toEqual(
    originNames.map((name) => [name, "disabled"]),
  );
  expect(await tandem("ingest", "--all")).toEqual({ code: 0, out: "", error: "" });
  const again = await tandem("source", "demo");
  expect(again).toMatchObject({ code: 0, error: "" });
  expect(again.out.match(/This is already a source: number \d\./g)).toHaveLength(originNames.length);
  expect((await tandem("source", "list")).out.trim().split("\n")).toEqual(lines.toReversed());
});

test.each([
  ["source"],
  ["source", "add"],
  ["source", "poll", "one"],
  ["source", "list", "all"],
  ["ingest", "some"],
])("%s %s %s exits with 2", async (...args) => {
  await copyDatabase(dataDir);
  expect(await tandem(...args.filter(Boolean))).toMatchObject({ code: 2, out: "" });
});

// It paints hundreds of pictures.
test("seed fills an empty database once, with pictures, and says how to log in", {
  timeout: 300_000,
}, async () => {
  const first = await tandem("seed", "--posts", "120", "--seed", "word", "--at", "2025-01-01T00:00:00Z");
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining("password tandem-demo") });
  expect(first.error).toContain("120 of 120 posts");
  await using service = await startTandem("sqlite", { dataDir });
  await expectPictures(service);
  const files = () => readdir(join(dataDir, "media"), { recursive: true });
  const stored = await files();
  const second = await tandem("seed");
  expect(second).toMatchObject({ code: 1, out: "", error: expect.stringContaining("already has accounts") });
  expect(await files()).toEqual(stored);
});

/** The pictures of posts, accounts and products exist, and posts have a ThumbHash and a size. */
async function expectPictures({ as, baseUrl }: Tandem): Promise<void> {
  const { posts } = await as.anonymous().listPosts({ limit: 50 });
  const { products } = await as.anonymous().listProducts();
  const shown = posts.filter(({ mediaType }) => ["image", "gif", "video"].includes(mediaType));
  expect(shown.length).toBeGreaterThan(5);
  for (const { thumbHash, width, height } of shown)
    expect([thumbHash, width, height].every(Boolean)).toBe(true);
  const urls = [
    ...shown.flatMap(({ mediaUrl, thumbnailUrl }) => [mediaUrl, thumbnailUrl]),
    ...posts.map(({ authorAvatarUrl }) => authorAvatarUrl),
    ...products.map(({ imageUrl }) => imageUrl),
  ].filter((url) => url !== null);
  for (const url of new Set(urls)) {
    const answer = await fetch(baseUrl + url);
    expect([url, answer.status]).toEqual([url, 200]);
    expect(answer.headers.get("content-type")).toMatch(/^(image\/webp|video\/mp4)$/);
  }
}

test.each([
  ["--posts", "0"],
  ["--posts", "many"],
  ["--posts", "1e6"],
  ["--at", "yesterday"],
  ["--colour", "red"],
  ["more", "words"],
])("seed %s %s exits with 2", async (...args) => {
  expect(await tandem("seed", ...args)).toMatchObject({
    code: 2,
    error: expect.stringContaining("seed [--posts N]"),
  });
});

test("an invalid setting exits with 1", async () => {
  const code = await run(["admin", "ada"], { DATA_DIR: dataDir, PORT: "high" }, quiet);
  expect(code).toBe(1);
});

const quiet = { out() {}, error() {}, interactive: false };

test("the process exits with the command's exit code", async () => {
  await copyDatabase(dataDir);
  const entry = join(import.meta.dirname, "tandem.ts");
  // Don't pass this process's environment: Vitest uses variables of the same names.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  const { status, stderr } = spawnSync(process.execPath, [entry, "admin", "nobody"], {
    cwd: join(import.meta.dirname, "../../.."),
    env,
    encoding: "utf8",
  });
  expect(stderr).toBe('No account named "nobody".\n');
  expect(status).toBe(1);
});
