import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["testing/src/programs.ts", "testing/src/postgres.ts", "testing/src/sqlite.ts"],
    setupFiles: ["testing/src/cheap-hashes.ts"],
    include: ["*/src/**/*.test.ts"],
    // Each file has a process of its own: in one that starts hundreds of services, what they compile fills the memory.
    isolate: true,
    // A machine that tests elsewhere at once is slow: a wait that is never met still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 40_000 } },
  },
});
