import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { cookieOf } from "@tandem/testing/callers";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test.each(["1", "2"])(
  "with WORKERS=%s, a request in progress during SIGTERM is completed and its write persists",
  async (workers) => {
    await using directory = await temporaryDirectory();
    await using service = await startProcess(directory.path, { WORKERS: workers });
    const cookie = await signUp(service.address);
    const request = await beginPost(service.address, cookie, '{"title":"In progress"}');
    const ended = service.stop("SIGTERM");
    await refuses(service.address);
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"title":"In progress"/s);
    expect(await ended).toBe(0);
    // Nothing is left to recover: the write-ahead log was merged into the database.
    expect((await readdir(directory.path)).toSorted()).toEqual(["log-head.json", "tandem.db"]);
    await using again = await startTandem("sqlite", { dataDir: directory.path });
    const { posts } = await again.as.anonymous().listPosts();
    expect(posts).toEqual([expect.objectContaining({ title: "In progress" })]);
  },
);

async function signUp(address: string): Promise<string> {
  const body = JSON.stringify({ username: "ada", email: "ada@example.org", password: "correct horse" });
  const headers = { "content-type": "application/json" };
  return cookieOf(await fetch(`${address}/api/auth/signup`, { method: "POST", headers, body }));
}

/** Sends a request without its body, and resolves once the service has accepted it. */
async function beginPost(address: string, cookie: string, body: string) {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  const head = [
    "POST /api/posts HTTP/1.1",
    `Host: ${host}`,
    `Cookie: ${cookie}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [first] = await once(socket, "data");
  expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  return {
    async finish(): Promise<string> {
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.write(body);
      await once(socket, "close");
      return Buffer.concat(chunks).toString();
    },
  };
}

/** Resolves once the address refuses connections. */
async function refuses(address: string): Promise<void> {
  while (
    await fetch(`${address}/healthz`).then(
      () => true,
      () => false,
    )
  );
}
