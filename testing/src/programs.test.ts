import { execFile, execFileSync } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "./storage.ts";

/** Runs the installation as root, then a test that needs two of the programs. */
const run = `
  process.getuid = () => 0;
  const { default: setup, programOf } = await import(${JSON.stringify(import.meta.resolve("./programs.ts"))});
  await setup();
  const found = await programOf("curl");
  const refused = await programOf("caddy").catch(({ name, message }) => [name, message]);
  console.log(JSON.stringify({ found, refused }));
`;

/** A fake apt-get that lacks one package, and installs a program named after its package. */
const aptGet = `#!/bin/sh
folder=$(dirname "$0")
echo "$*" >> $folder/calls
[ "$1" = install ] || exit 0
case " $* " in *" caddy "*) echo "E: Unable to locate package caddy" >&2; exit 100 ;; esac
for name in "$@"; do
  case $name in curl) printf '#!/bin/sh\\n' > $folder/curl; chmod +x $folder/curl ;; esac
done
`;

const tools = ["sh", "flock", "dirname", "chmod"];

test.skipIf(process.platform !== "linux")(
  "a package that doesn't exist affects only the tests that need it",
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await writeFile(join(path, "apt-get"), aptGet, { mode: 0o755 });
    for (const tool of tools)
      await symlink(execFileSync("which", [tool], { encoding: "utf8" }).trim(), join(path, tool));
    const args = ["--input-type=module", "-e", run];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { PATH: path, TMPDIR: path },
    });
    expect(stdout).toContain("Can't install caddy: E: Unable to locate package caddy\n");
    expect(JSON.parse(String(stdout.trim().split("\n").at(-1)))).toEqual({
      found: join(path, "curl"),
      refused: ["MissingProgramError", expect.stringContaining("install --no-install-recommends caddy")],
    });
    // The setup tries it once separately; the test doesn't try again.
    const calls = (await readFile(join(path, "calls"), "utf8")).split("\n");
    expect(calls.filter((call) => call.startsWith("install") && call.endsWith(" caddy"))).toHaveLength(1);
  },
);
