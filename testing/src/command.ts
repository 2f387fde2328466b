import { run } from "@tandem/server/cli/run";
import type { Environment } from "@tandem/server/config";

/** Runs a command of the command line in this process and returns its exit code and output. */
export async function runCommand(env: Environment, ...args: string[]) {
  const output = { out: "", error: "" };
  const to = (which: "out" | "error") => (line: string) => {
    output[which] += `${line}\n`;
  };
  const code = await run(args, env, { out: to("out"), error: to("error"), interactive: false });
  return { code, ...output };
}
