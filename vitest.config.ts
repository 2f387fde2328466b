import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { compileCache } from "./server/src/compile-cache.ts";
import LongestFirst from "./testing/src/longest-first.ts";
import { isQuick } from "./testing/src/quick-run.ts";

// For workers and processes that tests start: half of the time in which one starts goes into removing types and compiling.
process.env.NODE_COMPILE_CACHE ??= compileCache;

export default defineConfig({
  test: {
    globalSetup: "testing/src/prepare-run.ts",
    setupFiles: ["testing/src/cheap-hashes.ts"],
    sequence: { sequencer: LongestFirst },
    runner: "testing/src/skipping-runner.ts",
    reporters: ["default", "testing/src/skipped-reporter.ts"],
    // Suites that try thousands of inputs or start processes are named *.slow.test.ts.
    exclude: [...configDefaults.exclude, ...(isQuick ? ["**/*.slow.test.ts"] : [])],
    // Tests don't depend on module state, so a worker can keep modules loaded between files.
    isolate: false,
    // One more than cores, because tests wait. With three more, they displaced each other from the processor's caches, and the same tests took
    // a fifth more of its time. Limited, because of PostgreSQL's connections.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    // Generous for slow machines; a condition that never holds still ends the test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 40_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "service",
          include: ["*/src/**/*.test.ts"],
          exclude: ["web/**"],
          // Node.js runs these sources directly, like the service. Without Vite's wrapping they take a tenth less time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      // Needs Vite for JSX and import.meta.glob.
      { extends: true, test: { name: "web", include: ["web/src/**/*.test.ts"] } },
    ],
  },
});
