import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["testing/src/programs.ts", "testing/src/postgres.ts"],
    include: ["*/src/**/*.test.ts"],
    // Tests share no state of modules, so that a worker need not load them anew for each file.
    isolate: false,
    // A machine that tests elsewhere at once is slow: a wait that is never met still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
