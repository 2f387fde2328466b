import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { temporaryDirectory } from "@tandem/testing/storage";
import { expect, test } from "vitest";

/** Lines from a few bytes to more than a pipe takes in one piece. */
const someLines = () => Array.from({ length: 300 }, (_, i) => `${i} ${"é".repeat((i * 37) % 2500)}`);

const module = JSON.stringify(new URL("log-output.ts", import.meta.url).href);
const programs = {
  many: `
    import { logOutput } from ${module};
    for (const line of (${someLines})()) logOutput().write(line + "\\n");`,
  last: `
    import { logOutput } from ${module};
    logOutput().write("The last.\\n");
    process.exit();`,
};

const run = (program: string, output: number | "pipe") =>
  spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", output, "inherit"],
  });

const outputs = {
  async pipe(program: string): Promise<string> {
    const { stdout } = run(program, "pipe");
    return stdout ? text(stdout) : "";
  },
  async file(program: string): Promise<string> {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "log");
    const file = await open(path, "w");
    await once(run(program, file.fd), "exit");
    await file.close();
    return readFile(path, "utf8");
  },
};

test.each(["pipe", "file"] as const)(
  "lines reach a %s whole and in order, the last at the exit",
  async (to) => {
    expect(await outputs[to](programs.many)).toBe([...someLines(), ""].join("\n"));
    expect(await outputs[to](programs.last)).toBe("The last.\n");
  },
);
