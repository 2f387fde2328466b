import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { newKey } from "@tandem/server/http/key-format";
import { connectMcp } from "@tandem/testing/mcp-clients";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/tandem-mcp.mjs", import.meta.url));
let tandem: Tandem;
let key: string;

beforeAll(async () => {
  tandem = await startTandem();
  key = String((await tandem.as.agent()).options.key);
});
afterAll(() => tandem.stop());

test.each([
  ["no base URL", () => ({ TANDEM_API_KEY: key }), /TANDEM_BASE_URL is not set/],
  [
    "a base URL that isn't http",
    () => ({ TANDEM_BASE_URL: "ftp://x", TANDEM_API_KEY: key }),
    /TANDEM_BASE_URL is "ftp:\/\/x"/,
  ],
  [
    "an unreachable service",
    () => ({ TANDEM_BASE_URL: "http://127.0.0.1:9", TANDEM_API_KEY: key }),
    /can't connect/,
  ],
  ["an unreachable service and no key", () => ({ TANDEM_BASE_URL: "http://127.0.0.1:9" }), /can't connect/],
  [
    "an unknown key",
    () => here(newKey()),
    /TANDEM_API_KEY was refused\. This key is unknown or has been revoked\./,
  ],
  [
    "a key with a typo",
    () => here(`${key.slice(0, -1)}_`),
    /TANDEM_API_KEY was refused\. This isn't the form of a key\./,
  ],
  [
    "a folder for files that doesn't exist",
    () => ({ ...here(key), TANDEM_FILES: "/nowhere/at/all" }),
    /TANDEM_FILES contains "\/nowhere\/at\/all", which is not a folder/,
  ],
  ["a malformed key", () => here("schlüssel\n1"), /TANDEM_API_KEY is not a valid key/],
])("with %s, exits with an error message of one line", async (_what, env, sentence) => {
  const started = start(env());
  const [stderr, stdout] = [text(started.stderr), text(started.stdout)];
  expect((await once(started, "exit"))[0]).toBe(1);
  expect(await stderr).toMatch(sentence);
  expect((await stderr).split("\n").filter(Boolean)).toHaveLength(1);
  expect(await stderr).not.toContain(key.slice(12, 30));
  expect(await stdout).toBe("");
});

test("writes only protocol messages to standard output, and exits when its input ends", async () => {
  const started = start(here(key));
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  for (const message of [
    "not a message",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "tandem_me" } }),
  ])
    started.stdin.write(`${message}\n`);
  for (let received = new Set<unknown>(); !received.has(2); ) {
    const message = JSON.parse(String((await lines.next()).value));
    expect(message).toMatchObject({ jsonrpc: "2.0" });
    received = received.add(message.id);
  }
  started.stdin.end();
  expect((await once(started, "exit"))[0]).toBe(0);
});

test("starts with the client configuration in the README", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [example] = [...readme.matchAll(/^```json\n(.*?)^```/gms)].map(([, json]) =>
    JSON.parse(String(json)),
  );
  const { command, args, env } = example.mcpServers.tandem;
  expect(Object.keys(env)).toEqual(Object.keys(here(key)));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const program = {
    command,
    args: args.map((arg: string) => arg.replace("/path/to/tandem", root)),
    env: here(key),
  };
  await using client = await connectMcp("2025", { program });
  expect((await client.call("tandem_me")).structuredContent).toMatchObject({ user: { role: "agent" } });
});

test("without a key, offers the same tools as over HTTP, among them to ask for an account", async () => {
  // A client that asks for the key may pass an empty one.
  await using client = await connectMcp("2026-07-28", { program: { args: [bin], env: here(" ") } });
  await using remote = await connectMcp("2026-07-28", { url: `${tandem.baseUrl}/mcp` });
  const tools = await client.tools();
  expect(tools).toEqual(await remote.tools());
  expect(tools.map(({ name }) => name)).toContain("tandem_request_agent");
  const { isError, structuredContent } = await client.call("tandem_request_agent", { username: "newcomer" });
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({ request: { username: "⟦newcomer⟧" } });
  expect((await client.call("tandem_list_posts")).isError).toBeFalsy();
});

test("reports an unreachable service as an error that the model can retry", async () => {
  const lossy = await losingProxy("/nowhere");
  await using client = await connectMcp("2026-07-28", {
    program: { args: [bin], env: { ...here(key), TANDEM_BASE_URL: lossy.url } },
  });
  await client.tools();
  await lossy.close();
  const failed = await client.call("tandem_list_posts");
  expect(failed).toMatchObject({ isError: true, _meta: { "tandem/error": { code: "unreachable" } } });
});

test("publishes a post once if the first response is lost", async () => {
  const lossy = await losingProxy("/api/posts");
  await using client = await connectMcp("2026-07-28", {
    program: { args: [bin], env: { ...here(key), TANDEM_BASE_URL: lossy.url } },
  });
  await client.tools();
  const created = await client.call("tandem_create_post", { title: "Only once" });
  await lossy.close();
  expect(created.isError).toBeFalsy();
  expect(lossy.posts()).toBe(2);
  const { posts } = await tandem.as.anonymous().listPosts({ q: "Only once" });
  expect(posts).toHaveLength(1);
});

function here(apiKey: string) {
  return { TANDEM_BASE_URL: tandem.baseUrl, TANDEM_API_KEY: apiKey };
}

function start(env: Record<string, string>): ChildProcessWithoutNullStreams {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [bin], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  let all = "";
  for await (const piece of stream) all += piece;
  return all;
}

/** A proxy that drops the service's response to the first POST to `path`. */
async function losingProxy(path: string) {
  let posts = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const onward = ask(tandem.baseUrl + url, { method, headers }, (response) => {
      if (method === "POST" && url === path) posts += 1;
      if (posts === 1) return response.resume().on("end", () => outgoing.destroy());
      return response.pipe(outgoing.writeHead(response.statusCode ?? 0, response.headers));
    });
    incoming.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    posts: () => posts,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
