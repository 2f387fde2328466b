import { join } from "node:path";
import { run } from "@tandem/server/cli/run";
import type { Environment } from "@tandem/server/config";
import { createDatabase } from "./postgres.ts";
import { startS3 } from "./s3.ts";
import { temporaryDirectory } from "./storage.ts";
import { type EngineName, type StoreName, startTandem } from "./tandem.ts";

/** Runs a command of the command line in this process and returns its exit code and output. */
export async function runCommand(env: Environment, ...args: string[]) {
  const output = { out: "", error: "" };
  const to = (which: "out" | "error") => (line: string) => {
    output[which] += `${line}\n`;
  };
  const code = await run(args, env, { out: to("out"), error: to("error"), interactive: false });
  return { code, ...output };
}

/** A place for an instance: its settings, which name a database and a media store that are empty. */
export async function emptyPlace(engine: EngineName, store: StoreName = "disk") {
  const directory = await temporaryDirectory();
  const database = engine === "postgres" ? await createDatabase() : null;
  const s3 = store === "s3" ? await startS3() : null;
  const env: Environment = {
    DATA_DIR: join(directory.path, "data"),
    ...(database && { DATABASE_URL: database.url }),
    ...(s3 && { MEDIA_URL: s3.mediaUrl }),
  };
  return {
    env,
    file: join(directory.path, "backup.tar"),
    path: directory.path,
    serve: () => startTandem(engine, { env, dataDir: String(env.DATA_DIR) }),
    run: (...args: string[]) => runCommand(env, ...args),
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]();
      await s3?.[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
