import built from "./built.ts";
import postgres from "./postgres.ts";
import programs from "./programs.ts";
import { isQuick } from "./quick-run.ts";
import sqlite from "./sqlite.ts";

/** Vitest global setup. Everything at once, because the installation of programs waits for downloads and disks while the build computes. */
export default async function setup(): Promise<() => Promise<void>> {
  const parts = await Promise.allSettled([...(isQuick ? [] : [programsAndPostgres()]), sqlite(), built()]);
  const teardown = async () => {
    await Promise.all(parts.map((part) => part.status === "fulfilled" && part.value?.()));
  };
  const failed = parts.find((part) => part.status === "rejected");
  if (!failed) return teardown;
  await teardown();
  throw failed.reason;
}

/** One after the other, because both may create a user of the system. */
async function programsAndPostgres(): Promise<(() => Promise<void>) | undefined> {
  await programs();
  return postgres();
}
