import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@tandem/testing/ports";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { HOOK_SECRET, type Stream, startTandemWithStreaming, streamOf } from "@tandem/testing/streaming";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../docs/deploy/mediamtx-sign.sh", import.meta.url));

/** Runs the script as MediaMTX would. */
async function runner(tandem: { baseUrl: string }, api: string, file: string) {
  await programOf("curl");
  await writeFile(file, `url = "${tandem.baseUrl}/hooks/live?secret=${HOOK_SECRET}"\n`);
  return (what: string, { stream, key }: Stream, more = "", id = "7-a") => {
    const hookEnv = { MTX_PATH: `live/${stream}`, MTX_QUERY: `key=${key}${more}`, MTX_SOURCE_ID: id };
    const env = { ...process.env, ...hookEnv, TANDEM_LIVE: file, MEDIAMTX_API: api, EVERY: "0.1" };
    const program = spawn("sh", [script, what], { env, stdio: "ignore" });
    return { program, ended: once(program, "exit").then(([code]) => code as number | null) };
  };
}

test("the script for MediaMTX reports that a stream runs and that it ends", async () => {
  await using tandem = await startTandemWithStreaming("sqlite");
  await using directory = await temporaryDirectory();
  const kicked: string[] = [];
  const api = createServer((request, response) => {
    kicked.push(`${request.method} ${request.url}`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  const { port } = api.address() as AddressInfo;
  const run = await runner(tandem, `http://127.0.0.1:${port}`, join(directory.path, "hook"));
  const ada = await tandem.as.human("ada");
  const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
  const onAir = async () => (await ada.listLives()).lives.length === 1;

  // What a sender adds is no command, no file, and no word of the server's.
  const trap = join(directory.path, "trap");
  const meant = run("runs", own, `&x=$(touch ${trap});touch ${trap}`);
  await until(onAir);
  meant.program.kill("SIGINT");
  expect(await meant.ended).toBe(0);
  expect(await run("ends", own).ended).toBe(0);
  expect(await onAir()).toBe(false);
  expect(await run("ends", own, "&clientid=8").ended).toBe(1);

  const running = run("runs", own, "", "7-b");
  await until(onAir);
  expect(kicked).toEqual([]);
  await ada.endLive();
  await running.ended;
  expect(kicked).toEqual(["POST /v3/rtmpconns/kick/7-b"]);
  expect(existsSync(trap)).toBe(false);
  api.close();
});
