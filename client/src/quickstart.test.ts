import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { programOf } from "@tandem/testing/programs";
import { startTandem } from "@tandem/testing/tandem";
import { beforeAll, describe, expect, test } from "vitest";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = join(root, "node_modules", ".bin", "tsc");

/** All code blocks of a language as one script, and the output that its comments promise. */
async function scriptOf(language: string): Promise<{ script: string; expected: string[] }> {
  const text = await readFile(join(root, "docs", "quickstart.md"), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  const script = blocks.map(([, , block]) => block).join("\n");
  return { script, expected: [...script.matchAll(/^(?:#|\/\/) → (.+)$/gm)].map(([, line]) => String(line)) };
}

describe("the quickstart runs as written and prints what it says", () => {
  beforeAll(() => Promise.all([programOf("curl"), programOf("python3")]), 300_000);

  test.each([
    ["bash", "story.sh", 6, (file: string) => ["bash", "-euo", "pipefail", file]],
    ["ts", "story.ts", 3, (file: string) => [process.execPath, file]],
    ["python", "story.py", 4, (file: string) => ["python3", file]],
  ] as const)("in %s", async (language, file, lines, command) => {
    const { script, expected } = await scriptOf(language);
    expect(expected.length).toBe(lines);
    await using tandem = await startTandem();
    const { options } = await tandem.as.agent();
    const cwd = await mkdtemp(join(tmpdir(), "tandem-quickstart-"));
    try {
      await symlink(join(root, "node_modules"), join(cwd, "node_modules"));
      await writeFile(join(cwd, "package.json"), JSON.stringify({ type: "module" }));
      await writeFile(join(cwd, file), script);
      if (language === "ts") await check(cwd, file);
      const env = {
        ...process.env,
        TANDEM_BASE_URL: tandem.baseUrl,
        TANDEM_API_KEY: options.key,
        PYTHONPATH: join(root, "client", "python"),
        PYTHONDONTWRITEBYTECODE: "1",
      };
      const [program, ...args] = command(file);
      const { stdout } = await execute(String(program), args, { cwd, env });
      let at = 0;
      for (const text of expected) {
        const found = stdout.indexOf(text, at);
        expect(found, `"${text}" should follow the previous output, in:\n${stdout}`).toBeGreaterThanOrEqual(
          0,
        );
        at = found + text.length;
      }
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});

/** Type-checks the script, since running it doesn't. */
async function check(cwd: string, file: string): Promise<void> {
  const typeRoots = [join(root, "node_modules", "@types")];
  const config = { extends: join(root, "tsconfig.json"), compilerOptions: { typeRoots }, include: [file] };
  await writeFile(join(cwd, "tsconfig.json"), JSON.stringify(config));
  await execute(tsc, ["-p", cwd, "--singleThreaded"]).catch((error) => {
    throw new Error(error.stdout);
  });
}
