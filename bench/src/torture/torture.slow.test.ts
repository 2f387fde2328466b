import { createDatabase } from "@tandem/testing/postgres";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { torture } from "./crash.ts";

// `npm run torture` does the same for minutes.
test.each(engines)(
  "a service that is killed under load loses nothing it acknowledged, on %s",
  async (engine) => {
    await using directory = await temporaryDirectory();
    await using database = engine === "postgres" ? await createDatabase() : null;
    const env: Record<string, string> = database ? { DATABASE_URL: database.url } : { WORKERS: "2" };
    const images = database ? 0 : 1;
    const outcome = await torture({ dataDir: directory.path, env, kills: 2, images, writers: 6, spell: 100 });
    expect(outcome).toMatchObject({ kills: 2, images, problems: [] });
    expect(outcome.acknowledged).toBeGreaterThan(40);
  },
);
