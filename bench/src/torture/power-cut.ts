import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { drawPicture } from "@tandem/testing/pictures";
import { startProcess } from "@tandem/testing/process";
import { programOf } from "@tandem/testing/programs";
import { Disk, type Survival } from "./disk.ts";
import { readTrace, traced } from "./disk-trace.ts";
import { startStorm } from "./storm.ts";
import { judge } from "./verdict.ts";

export interface PowerCuts {
  /** Where the data is, and settings. The directory must be empty. */
  dataDir: string;
  env: Record<string, string>;
  cuts: number;
  writers: number;
  /** How long they write. */
  milliseconds: number;
}

const survivals: Survival[] = ["nothing", "some", "everything"];

/**
 * Records every write and flush of a service on SQLite, from its first start. Then builds what a disk contains after the power is
 * cut at random moments. From each, the service must start, and everything acknowledged by then must exist exactly once.
 */
export async function cutPower(plan: PowerCuts) {
  const { dataDir, env, cuts } = plan;
  const file = `${dataDir}.trace`;
  const image = `${dataDir}.image`;
  try {
    const service = await startProcess(dataDir, env, traced(await programOf("strace"), file));
    const picture = new Blob([new Uint8Array(await drawPicture({ width: 640, height: 480, noisy: true }))], {
      type: "image/jpeg",
    });
    const storm = await startStorm(service.address, plan.writers, picture);
    const began = Date.now();
    await pause(plan.milliseconds);
    await storm.stop();
    await service.stop("SIGKILL");

    const operations = await readTrace(file, dataDir);
    const from = operations.findIndex(({ at }) => at > began);
    const moments = Array.from(
      { length: cuts },
      () => from + Math.floor(Math.random() * (operations.length - from)),
    );
    const disk = new Disk(dataDir);
    const problems: string[] = [];
    let next = 0;
    for (const [i, moment] of moments.toSorted((a, b) => a - b).entries()) {
      for (; next < moment; next++) disk.apply(operations[next] as (typeof operations)[number]);
      const survival = survivals[i % survivals.length] as Survival;
      await disk.cutPower(survival, image);
      const at = operations[moment]?.at ?? 0;
      const found = [...(await startsFrom(image, env)), ...(await judge({ DATA_DIR: image }, { storm, at }))];
      problems.push(
        ...found.map(
          (one) => `Cut at operation ${moment}, of what wasn't flushed ${survival} survived: ${one}`,
        ),
      );
      await rm(image, { recursive: true, force: true });
    }
    return { cuts, operations: operations.length, acknowledged: storm.acknowledged(), problems };
  } finally {
    for (const path of [file, image]) await rm(path, { recursive: true, force: true });
  }
}

async function startsFrom(dataDir: string, env: Record<string, string>): Promise<string[]> {
  try {
    const service = await startProcess(dataDir, env);
    await service.stop("SIGTERM");
    return [];
  } catch (error) {
    return [`The service doesn't start: ${(error as Error).message}`];
  }
}
