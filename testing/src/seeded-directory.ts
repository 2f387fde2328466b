import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seed } from "@tandem/server/cli/seed/seed";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";

/** A data directory with demo data of that many posts. Created once per machine and reused. */
export async function seededDirectory(posts: number): Promise<string> {
  const path = join(tmpdir(), `tandem-world-${posts}`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const storage = await openSqlite(join(unfinished, "tandem.db"));
  await seed(storage, { posts });
  await storage.close();
  await rename(unfinished, path);
  return path;
}
