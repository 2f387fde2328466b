import { startPostgres } from "@tandem/testing/postgres-server";
import { temporaryDirectory } from "@tandem/testing/storage";
import { option } from "../options.ts";
import { torture } from "./crash.ts";

/*
 * Kills services with SIGKILL while they acknowledge writes: on SQLite with one process and with two workers, and on
 * PostgreSQL with both. Copies SQLite's files as a power cut could leave them. Afterwards nothing that was acknowledged may be
 * lost, doubled or miscounted, and `tandem check` must find nothing.
 *
 *   npm run torture [-- --kills 40 --images 40 --writers 24 --scenario 3]
 *
 * `--scenario` runs one of the four only. Exits with 1 if anything is wrong.
 */

const plan = {
  kills: option("kills", 40),
  images: option("images", 40),
  writers: option("writers", 24),
  spell: 400,
};

await using server = await startPostgres({ flags: ["-c", "fsync=on"] });
const postgres = { DATABASE_URL: `${server.url}/postgres` };
const scenarios: [name: string, env: Record<string, string>, images: number][] = [
  ["SQLite", {}, plan.images],
  ["SQLite, two workers", { WORKERS: "2" }, plan.images],
  ["PostgreSQL", postgres, 0],
  ["PostgreSQL, two workers", { ...postgres, WORKERS: "2" }, 0],
];
const chosen = process.argv.includes("--scenario") ? option("scenario", 1) : null;
if (chosen !== null && !scenarios[chosen - 1]) throw new Error(`--scenario must be 1 to ${scenarios.length}`);
for (const [name, env, images] of chosen === null ? scenarios : scenarios.slice(chosen - 1, chosen)) {
  await using directory = await temporaryDirectory();
  const began = performance.now();
  const { kills, acknowledged, problems, ...rest } = await torture({
    ...plan,
    dataDir: directory.path,
    env,
    images,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${name}: ${kills} kills, ${rest.images} crash images, ${acknowledged} acknowledged writes in ${seconds} s, ${problems.length} problems`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
