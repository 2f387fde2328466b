import { type RunnerTask, type RunnerTestSuite, type TestError, TestRunner } from "vitest";
import { type MissingProgram, MissingProgramError } from "./programs.ts";
import { NotInQuickRunError } from "./quick-run.ts";

declare module "vitest" {
  interface TaskMeta {
    missingProgram?: MissingProgram;
    notInQuickLayer?: boolean;
  }
}

/**
 * Skips tests for which a program is missing or that the quick layer leaves out, and notes why, for the report at the end of
 * the run (`skipped-reporter.ts`). Where `CI` is set, tests that miss a program fail.
 */
export default class SkippingRunner extends TestRunner {
  override onAfterRunTask(test: RunnerTask): void {
    judge(test);
    super.onAfterRunTask(test);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    judge(suite);
    await super.onAfterRunSuite(suite);
  }
}

function judge(task: RunnerTask): void {
  // The first error decides. What fails after it, such as a hook that ends what was never started, is a consequence; a test that
  // failed before a hook of its own lacked a program has failed.
  const errors = (task.result?.errors ?? []).slice(0, 1).flatMap(withCauses);
  const missing = errors.find(({ name }) => name === MissingProgramError.name);
  if (missing) task.meta.missingProgram = missing.missing as MissingProgram;
  task.meta.notInQuickLayer = errors.some(({ name }) => name === NotInQuickRunError.name);
  const isSkipped = task.meta.notInQuickLayer || (missing && !process.env.CI);
  if (isSkipped && task.result) {
    const { errors: _, ...result } = task.result;
    task.result = { ...result, state: "skip" };
  }
}

/** Libraries such as fast-check wrap what a test throws. */
function withCauses(error: TestError): TestError[] {
  return error.cause ? [error, ...withCauses(error.cause)] : [error];
}
