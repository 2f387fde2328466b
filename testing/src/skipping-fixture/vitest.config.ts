import { defineConfig } from "vitest/config";

/* The configuration for `skipping.slow.test.ts`, with the same runner and reporter as all tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["fixture.ts"],
    runner: "../skipping-runner.ts",
    reporters: ["default", "../skipped-reporter.ts"],
  },
});
