import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startProcess } from "@tandem/testing/process";
import { type Storm, startStorm } from "./storm.ts";
import { judge } from "./verdict.ts";

export interface Torture {
  /** Where the data is, and settings. */
  dataDir: string;
  env: Record<string, string>;
  kills: number;
  /** Crash images to take, on SQLite. */
  images: number;
  writers: number;
  /** Milliseconds of writes between two kills, at most. */
  spell: number;
}

export interface Outcome {
  kills: number;
  images: number;
  acknowledged: number;
  problems: string[];
}

/**
 * Kills the service again and again while it acknowledges writes, and starts it again. Meanwhile it copies the database
 * files as the kill left them. At the end, and in every copy, everything acknowledged must exist exactly once.
 */
export async function torture(plan: Torture): Promise<Outcome> {
  const env = { DATA_DIR: plan.dataDir, ...plan.env };
  let service = await startProcess(plan.dataDir, plan.env);
  const problems: string[] = [];
  const storm = await startStorm(service.address, plan.writers);
  let images = 0;
  try {
    for (let kill = 0; kill < plan.kills; kill++) {
      const before = storm.acknowledged();
      while (storm.acknowledged() < before + 20) await pause(5);
      await pause(plan.spell * Math.random());
      await service.stop("SIGKILL");
      if (images < plan.images) {
        images += 1;
        problems.push(...(await judgeImage(plan, storm)));
      }
      service = await startProcess(plan.dataDir, plan.env);
      storm.moveTo(service.address);
    }
    await storm.stop();
    problems.push(...(await judge(env, { storm, at: Date.now(), likes: storm.likes })));
  } finally {
    await service.stop("SIGKILL");
  }
  return { kills: plan.kills, images, acknowledged: storm.acknowledged(), problems };
}

/** Copies the files of a service that was killed, and judges the copy by what had been acknowledged by then. */
async function judgeImage({ dataDir }: Torture, storm: Storm): Promise<string[]> {
  const copy = `${dataDir}.image`;
  const at = Date.now();
  await mkdir(copy);
  try {
    // Without the index of the log, which a power cut loses.
    for (const name of ["tandem.db", "tandem.db-wal"])
      await copyFile(join(dataDir, name), join(copy, name)).catch(() => {});
    return await judge({ DATA_DIR: copy }, { storm, at });
  } finally {
    await rm(copy, { recursive: true });
  }
}
