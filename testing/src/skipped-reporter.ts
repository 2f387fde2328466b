import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import type { MissingProgram } from "./programs.ts";

/** Prints at the end of a run what was skipped and why: each missing program with the command that installs it or advice. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const missing = new Map<string, MissingProgram & { tests: number }>();
    let notInQuickRun = 0;
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const metas = metasOf(test);
        if (metas.some((meta) => meta.notInQuickRun)) notInQuickRun += 1;
        const program = metas.find((meta) => meta.missingProgram)?.missingProgram;
        if (!program) continue;
        const { tests } = missing.get(program.name) ?? { tests: 0 };
        missing.set(program.name, { ...program, tests: tests + 1 });
      }
    if (notInQuickRun > 0)
      console.log(
        `Quick run: without PostgreSQL, files named *.slow.test.ts and ${counted(notInQuickRun)}. npm test runs them all.`,
      );
    if (missing.size === 0) return;
    const all = [...missing.values()].sort((a, b) => b.tests - a.tests);
    const total = all.reduce((sum, { tests }) => sum + tests, 0);
    console.log(`${counted(total)} ${process.env.CI ? "failed" : "skipped"} because programs are missing:`);
    for (const { name, tests, installation } of all)
      console.log(`  ${name} (${counted(tests)}): ${installation.command ?? installation.advice}`);
    console.log("");
  }
}

const counted = (tests: number): string => (tests === 1 ? "1 test" : `${tests} tests`);

/** Metadata of a test and, if it was skipped, of its suites and module, because a failed hook skips everything below it. */
function metasOf(test: TestCase) {
  const metas = [test.meta()];
  if (test.result().state !== "skipped") return metas;
  let part: TestSuite | TestModule = test.parent;
  for (; part.type === "suite"; part = part.parent) metas.push(part.meta());
  return [...metas, part.meta()];
}
