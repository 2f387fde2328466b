import { defineConfig } from "vitest/config";

/* What `skipping.slow.test.ts` runs, with the runner and the reporter of all other tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["fixture.ts"],
    runner: "../skipping-runner.ts",
    reporters: ["default", "../skipped-reporter.ts"],
  },
});
