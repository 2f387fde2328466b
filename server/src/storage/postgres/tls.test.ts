import { execFile } from "node:child_process";
import { chown } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PostgresServer, serviceUser, startPostgres } from "@tandem/testing/postgres-server";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStorage } from "../open.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: PostgresServer;

/** A TLS server with a self-signed certificate for `localhost`. */
beforeAll(async () => {
  directory = await temporaryDirectory();
  const { uid, gid } = serviceUser();
  const [key, certificate] = [join(directory.path, "key.pem"), join(directory.path, "certificate.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", key, "-out", certificate];
  await promisify(execFile)(await programOf("openssl"), ["req", ...kind, ...names, ...files]);
  for (const path of [key, certificate, directory.path])
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  const settings = ["ssl=on", `ssl_key_file=${key}`, `ssl_cert_file=${certificate}`];
  server = await startPostgres({ flags: settings.flatMap((one) => ["-c", one]) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

test.each([
  ["localhost", "sslmode=no-verify", "it opens"],
  ["localhost", "sslmode=verify-full&sslrootcert=ITS", "it opens"],
  ["localhost", "sslmode=verify-full", "DATABASE_URL can't be used: self-signed certificate"],
  ["localhost", "sslmode=require", "DATABASE_URL can't be used: self-signed certificate"],
  ["localhost", "sslmode=require&uselibpqcompat=true", "it opens"],
  [
    "127.0.0.1",
    "sslmode=verify-full&sslrootcert=ITS",
    "DATABASE_URL can't be used: Hostname/IP does not match",
  ],
])("over TLS to %s with %s: %s", async (hostname, query, expected) => {
  const search = query.replace("ITS", join(directory.path, "certificate.pem"));
  const { href: url } = Object.assign(new URL(`${server.url}/postgres`), { hostname, search });
  const database = { url, replicas: [], connections: 1, prepares: true, timeout: 10_000 };
  const outcome = await openStorage({ database, dataDir: "/nowhere" }).then(
    (storage) => storage.close().then(() => "it opens"),
    (error: Error) => error.message,
  );
  expect(outcome).toContain(expected);
});
