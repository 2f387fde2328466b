import { startPostgres } from "@tandem/testing/postgres-server";
import { temporaryDirectory } from "@tandem/testing/storage";
import { option } from "../options.ts";
import { torture } from "./crash.ts";
import { cutPower } from "./power-cut.ts";

/*
 * Kills services with SIGKILL while they acknowledge writes: on SQLite with one process and with two workers, and on
 * PostgreSQL with both. Then cuts the power of services on SQLite, by recording what they ask of the disk (`strace`, so on Linux).
 * Afterwards nothing that was acknowledged may be lost, doubled or miscounted, and `tandem check` must find nothing.
 *
 *   npm run torture [-- --kills 40 --images 40 --cuts 40 --writers 24 --scenario 3]
 *
 * `--scenario` runs one of the six only. Exits with 1 if anything is wrong.
 */

const plan = {
  kills: option("kills", 40),
  images: option("images", 40),
  writers: option("writers", 24),
  spell: 400,
};

const cuts = option("cuts", 40);

await using server = await startPostgres({ flags: ["-c", "fsync=on"] });
const postgres = { DATABASE_URL: `${server.url}/postgres` };

interface Scenario {
  name: string;
  env: Record<string, string>;
  /** Crash images, of which PostgreSQL has none. */
  images?: number;
  losesPower?: true;
}

const twoWorkers = { WORKERS: "2" };
const scenarios: Scenario[] = [
  { name: "SQLite", env: {}, images: plan.images },
  { name: "SQLite, two workers", env: twoWorkers, images: plan.images },
  { name: "PostgreSQL", env: postgres },
  { name: "PostgreSQL, two workers", env: { ...postgres, ...twoWorkers } },
  { name: "SQLite", env: {}, losesPower: true },
  { name: "SQLite, two workers", env: twoWorkers, losesPower: true },
];
const chosen = process.argv.includes("--scenario") ? option("scenario", 1) : null;
if (chosen !== null && !scenarios[chosen - 1]) throw new Error(`--scenario must be 1 to ${scenarios.length}`);
for (const scenario of chosen === null ? scenarios : scenarios.slice(chosen - 1, chosen)) {
  await using directory = await temporaryDirectory();
  const began = performance.now();
  const { did, acknowledged, problems } = await run(scenario, directory.path);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${scenario.name}: ${did}, ${acknowledged} acknowledged writes in ${seconds} s, ${problems.length} problems`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function run({ env, images = 0, losesPower }: Scenario, dataDir: string) {
  if (losesPower) {
    const outcome = await cutPower({ dataDir, env, cuts, writers: plan.writers, milliseconds: 20_000 });
    return { did: `${cuts} power cuts among ${outcome.operations} operations`, ...outcome };
  }
  const outcome = await torture({ ...plan, dataDir, env, images });
  return { did: `${outcome.kills} kills, ${outcome.images} crash images`, ...outcome };
}
