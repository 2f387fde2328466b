import { test } from "vitest";
import { type EngineName, runsOnceTests } from "./tandem.ts";

/** For a suite that runs on both databases: `test` for those of its tests that `runsOnceTests` is about. */
export const testOnce =
  (engine: EngineName) =>
  (title: string, run: () => unknown): void => {
    if (runsOnceTests(engine)) test(title, run);
  };
