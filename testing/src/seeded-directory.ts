import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seed } from "@tandem/server/cli/seed/seed";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";

/** The directory of a seeded world of that many posts: made once on a machine, and kept for the next time. */
export async function seededDirectory(posts: number): Promise<string> {
  const place = join(tmpdir(), `tandem-world-${posts}`);
  if (existsSync(place)) return place;
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const storage = await openSqlite(join(unfinished, "tandem.db"));
  await seed(storage, { posts });
  await storage.close();
  await rename(unfinished, place);
  return place;
}
