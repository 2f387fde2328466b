import { existsSync } from "node:fs";
import { run } from "./run.ts";

// What commands create in the data directory is for its owner alone, as in `start.ts`.
process.umask(0o077);
if (existsSync(".env")) process.loadEnvFile(".env");

process.exitCode = await run(process.argv.slice(2), process.env, {
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  interactive: process.stderr.isTTY === true,
});
