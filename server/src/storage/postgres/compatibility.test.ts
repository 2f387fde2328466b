import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPgBouncer } from "@tandem/testing/pgbouncer";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { type PostgresServer, startPostgres } from "@tandem/testing/postgres-server";
import { temporaryDirectory } from "@tandem/testing/storage";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStorage } from "../open.ts";
import { asMissingExtension, findIncompatibility } from "./compatibility.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs a statement on the server, in the named database. */
function say(statements: string, database = "postgres"): Promise<unknown[]> {
  return queryPostgres(`${server.url}/${database}`, statements);
}

const open = (url: string) =>
  openStorage({
    database: { url, replicas: [], connections: 2, prepares: false, timeout: 10_000 },
    dataDir: "/nowhere",
  });

/** The error that an administrator sees when starting the service with this URL. */
const sentenceOn = (url: string) =>
  open(url).then(
    (storage) => storage.close().then(() => "it opens"),
    (error) => `${error.constructor.name}: ${error.message}`,
  );

/** The server's URL, with changes. */
type Part = "username" | "password" | "hostname" | "port" | "pathname" | "search";
const at = (changes: Partial<Record<Part, string>>) =>
  Object.assign(new URL(`${server.url}/postgres`), changes).href;

describe("the start reports in one sentence that it can't use", () => {
  test.each([
    ["nothing listening at the port", { port: "1" }, "connect ECONNREFUSED 127.0.0.1:1"],
    ["several addresses without a listener", { hostname: "localhost", port: "1" }, "connect ECONNREFUSED"],
    ["an unknown host", { hostname: "nowhere.invalid" }, "getaddrinfo E"],
    ["a wrong password", { password: "hunter2" }, 'password authentication failed for user "tandem"'],
    ["no password", { password: "" }, "SASL: "],
    ["an unknown user", { username: "eve" }, 'password authentication failed for user "eve"'],
    ["no such database", { pathname: "/nowhere" }, 'database "nowhere" does not exist'],
    ["TLS that isn't there", { search: "sslmode=verify-full" }, "The server does not support SSL"],
    [
      "no such certificate",
      { search: "sslrootcert=/none.pem" },
      "its certificate file can't be read: ENOENT",
    ],
  ])("%s", async (_, changes, expected) => {
    const sentence = await sentenceOn(at(changes));
    expect(sentence).toContain(`ConfigError: DATABASE_URL can't be used: ${expected}`);
    expect(sentence).toMatch(/[^.]\.$/);
    expect(sentence).not.toMatch(/hunter2|\n/);
  });

  test("a server that isn't PostgreSQL", async () => {
    const stranger = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((done) => stranger.listen(0, "127.0.0.1", done));
    const { port } = stranger.address() as { port: number };
    expect(await sentenceOn(at({ port: `${port}` }))).toMatch(
      /^ConfigError: DATABASE_URL can't be used: .+\.$/,
    );
    stranger.close();
  });

  test.each(["SQL_ASCII", "LATIN1"])("a database in %s", async (encoding) => {
    const name = encoding.toLowerCase();
    await say(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
    expect(await sentenceOn(at({ pathname: `/${name}` }))).toBe(
      `ConfigError: DATABASE_URL can't be used: the database's encoding is ${encoding} and must be UTF8: create one with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  });

  test("a user without permission to create; following each error's advice leads to a working service", async () => {
    await say("create role clerk login password 'clerk'");
    await say("create database office");
    const url = at({ username: "clerk", password: "clerk", pathname: "/office" });
    const remedy = /^ConfigError: DATABASE_URL can't be used: (.+): run ([^:]+)\.$/;
    const [, schema, grant] = remedy.exec(await sentenceOn(url)) ?? [];
    expect(schema).toBe("permission denied for schema public");
    await say(String(grant).replace("its user", "clerk"), "office");
    const [, extension, create] = remedy.exec(await sentenceOn(url)) ?? [];
    expect(extension).toBe('permission denied to create extension "pg_trgm"');
    await say(/CREATE EXTENSION pg_trgm/.exec(String(create))?.[0] ?? "", "office");
    expect(await sentenceOn(url)).toBe("it opens");
    // The failed starts left nothing that breaks the next start.
    expect(await sentenceOn(url)).toBe("it opens");
  });

  test("tables that belong to another user", async () => {
    await say("create database theirs");
    await (await open(at({ pathname: "/theirs" }))).close();
    await say("create role guest login password 'guest'");
    expect(await sentenceOn(at({ username: "guest", password: "guest", pathname: "/theirs" }))).toMatch(
      /^ConfigError: DATABASE_URL can't be used: permission denied for .+\.$/,
    );
  });

  test("a database, without showing the password or a stack trace, and exits with 1", async () => {
    await using directory = await temporaryDirectory();
    const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
    const env = { DATABASE_URL: at({ password: "hunter2" }), DATA_DIR: directory.path, PORT: "0" };
    const args = [main];
    await expect(
      promisify(execFile)(process.execPath, args, { env, cwd: directory.path }),
    ).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: `DATABASE_URL can't be used: password authentication failed for user "tandem".\n`,
    });
  });
});

test.each([
  ["14.19 (Debian 14.19-1)", 140_019, "the server runs PostgreSQL 14.19, and Tandem needs 15 or later"],
  ["9.6.24", 90_624, "the server runs PostgreSQL 9.6.24, and Tandem needs 15 or later"],
  ["15.0", 150_000, null],
  ["18.4", 180_004, null],
  ["19beta1", 190_000, null],
])("PostgreSQL %s isn't reported as too old", (version, number, verdict) => {
  expect(findIncompatibility({ version, number, encoding: "UTF8" })).toBe(verdict);
});

test.each(["0A000", "58P01"])(
  "a server without the contrib modules (%s) isn't reported as an internal error",
  (code) => {
    const error = Object.assign(new Error('extension "pg_trgm" is not available'), { code });
    expect(asMissingExtension(error)).toMatchObject({
      message: expect.stringMatching(
        /^extension "pg_trgm" is not available: run CREATE EXTENSION pg_trgm .+ contrib/,
      ),
    });
    const fault = new Error("an internal error");
    expect(asMissingExtension(fault)).toBe(fault);
  },
);

test.each(["directly", "through PgBouncer"])(
  "several services can start on the same new database at the same time, %s, and keep no lock",
  async (way) => {
    const name = way.replace(/\W/g, "_").toLowerCase();
    await say(`create database ${name}`);
    const direct = at({ pathname: `/${name}` });
    await using bouncer = way === "directly" ? null : await startPgBouncer(direct, 2);
    const storages = await Promise.all(Array.from({ length: 8 }, () => open(bouncer?.url ?? direct)));
    const locks = "select 1 from pg_locks join pg_database d on d.oid = database where locktype = 'advisory'";
    expect(await say(`${locks} and datname = '${name}'`)).toEqual([]);
    const steps = await say("select name from kysely_migration", name);
    expect(steps).toEqual(await say("select distinct name from kysely_migration order by name", name));
    for (const storage of storages) await storage.close();
  },
);
