import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { kindOf } from "@tandem/server/media/kind";
import { preparePicture } from "@tandem/server/media/pictures";
import { drawPoster, inspectVideo, quickStart } from "@tandem/server/media/video";
import { drawPicture, inFolder } from "@tandem/testing/pictures";
import { makeVideo } from "@tandem/testing/videos";
import { cpuSeconds } from "./cpu.ts";

/** Measures what it costs to process media files: those named on the command line, or generated samples. */
await inFolder(async (folder) => {
  const named = process.argv.slice(2);
  const paths = named.length > 0 ? named : await samples(folder);
  console.log(
    "file | MB | seconds | CPU seconds | peak memory, MB | longest event loop delay of this process, ms",
  );
  await measure("idle", String(paths[0]), () => pause(2000));
  for (const path of paths) {
    const kind = await kindOf(path);
    if (kind !== "mp4" && kind !== "mov")
      await measure(`${basename(path)} prepared`, path, () => preparePicture(path, folder, { mark: null }));
    else {
      await measure(`${basename(path)} inspected`, path, () => inspectVideo(path));
      await measure(`${basename(path)} rewritten`, path, () => quickStart(path, join(folder, "out.mp4")));
      await measure(`${basename(path)} poster`, path, () => drawPoster(path, join(folder, "out.png")));
    }
  }
});

async function samples(folder: string): Promise<string[]> {
  const files: [string, Buffer][] = [
    ["12 megapixels.jpg", await drawPicture({ width: 4000, height: 3000, noisy: true })],
    ["48 megapixels.jpg", await drawPicture({ width: 8064, height: 6048, noisy: true })],
    ["64 megapixels.png", await drawPicture({ type: "png", width: 8192, height: 8192 })],
    ["12 megapixels.webp", await drawPicture({ type: "webp", width: 4000, height: 3000 })],
    ["3 megapixels.heic", await drawPicture({ type: "heic", width: 2000, height: 1500 })],
    ["95 MB.mp4", await makeVideo({ seconds: 40, width: 1280, height: 720, rate: "18500k" })],
  ];
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  return files.map(([name]) => join(folder, name));
}

async function measure(what: string, path: string, work: () => Promise<unknown>): Promise<void> {
  // Each file gets new worker processes, so that their peak memory is this file's.
  for (const id of helpers()) process.kill(id, "SIGKILL");
  while (helpers().length > 0) await new Promise(setImmediate);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const [start, used] = [performance.now(), cpuSeconds(process.pid)];
  delay.enable();
  const result = await work().catch(String);
  delay.disable();
  const seconds = (performance.now() - start) / 1000;
  const memory = Math.max(0, ...helpers().map(peakOf));
  const { size } = await stat(path);
  const figures = [size / 1e6, seconds, cpuSeconds(process.pid) - used, memory, delay.max / 1e6];
  console.log(
    [
      what,
      ...figures.map((figure) => figure.toFixed(1)),
      ...(typeof result === "string" ? [result] : []),
    ].join(" | "),
  );
}

function helpers(): number[] {
  const list = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" });
  return list
    .split("\n")
    .filter((line) => line.includes("worker-main.ts"))
    .map((line) => Number.parseInt(line, 10));
}

/** Peak memory of a process in MB. */
function peakOf(id: number): number {
  const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
