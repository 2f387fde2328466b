import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { isQuick } from "./testing/src/quick-run.ts";

export default defineConfig({
  test: {
    globalSetup: [
      ...(isQuick ? [] : ["testing/src/programs.ts", "testing/src/postgres.ts"]),
      "testing/src/sqlite.ts",
      "testing/src/built.ts",
    ],
    setupFiles: ["testing/src/cheap-hashes.ts"],
    runner: "testing/src/skipping-runner.ts",
    reporters: ["default", "testing/src/skipped-reporter.ts"],
    // Suites that try thousands of inputs or start processes say so by their name.
    exclude: [...configDefaults.exclude, ...(isQuick ? ["**/*.slow.test.ts"] : [])],
    // Tests share no state of modules, so that a worker need not load and compile them anew for each file.
    isolate: false,
    // Tests wait a lot, for databases and for other processes. More at once than this would have too many connections.
    maxWorkers: Math.min(8, Math.max(2, availableParallelism() + 1)),
    // A machine that tests elsewhere at once is slow: a wait that is never met still ends.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "service",
          include: ["*/src/**/*.test.ts"],
          exclude: ["web/**"],
          // Node runs these sources itself, as it runs the service: without Vite's wrapping they take a tenth less time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      // Only Vite knows JSX and its own globs.
      { extends: true, test: { name: "web", include: ["web/src/**/*.test.ts"] } },
    ],
  },
});
