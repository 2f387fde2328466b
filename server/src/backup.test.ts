import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [command] =
  /^node_modules\/.bin\/node -e .*$/m.exec(readFileSync(join(root, "docs/operation.md"), "utf8")) ?? [];

test("the documented backup command copies the whole database while the service runs", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tandem-backup-"));
  try {
    await using tandem = await startTandem("sqlite", { dataDir: join(cwd, "data") });
    const agent = await tandem.as.agent();
    const { post } = await agent.createPost({ title: "Worth keeping" });
    // The docs run it in the repository's directory.
    await symlink(join(root, "node_modules"), join(cwd, "node_modules"));
    await promisify(execFile)("sh", ["-c", String(command)], { cwd });
    await mkdir(join(cwd, "restored"));
    await rename(join(cwd, "backup.db"), join(cwd, "restored", "tandem.db"));
    await using restored = await startTandem("sqlite", { dataDir: join(cwd, "restored") });
    const { posts } = await restored.as.bearer(String(agent.options.key)).listPosts({ q: "eping" });
    expect(posts).toEqual([post]);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
