import { type RunnerTask, type RunnerTestSuite, type TestError, TestRunner } from "vitest";
import { type MissingProgram, MissingProgramError } from "./programs.ts";
import { NotInQuickRunError } from "./quick-run.ts";

declare module "vitest" {
  interface TaskMeta {
    missingProgram?: MissingProgram;
    notInQuickRun?: boolean;
  }
}

/**
 * Skips tests whose program is missing, or that a quick run leaves out, and records why for `skipped-reporter.ts`. If `CI` is
 * set, tests whose program is missing fail.
 */
export default class SkippingRunner extends TestRunner {
  override onAfterRunTask(test: RunnerTask): void {
    recordSkip(test);
    super.onAfterRunTask(test);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    recordSkip(suite);
    await super.onAfterRunSuite(suite);
  }
}

function recordSkip(task: RunnerTask): void {
  // The first error decides. Later ones are consequences, such as a hook that stops what was never started. A test that failed
  // before its hook lacked a program has failed.
  const errors = (task.result?.errors ?? []).slice(0, 1).flatMap(withCauses);
  const missing = errors.find(({ name }) => name === MissingProgramError.name);
  if (missing) task.meta.missingProgram = missing.missing as MissingProgram;
  task.meta.notInQuickRun = errors.some(({ name }) => name === NotInQuickRunError.name);
  const isSkipped = task.meta.notInQuickRun || (missing && !process.env.CI);
  if (isSkipped && task.result) {
    const { errors: _, ...result } = task.result;
    task.result = { ...result, state: "skip" };
  }
}

/** Libraries such as fast-check wrap errors. */
function withCauses(error: TestError): TestError[] {
  return error.cause ? [error, ...withCauses(error.cause)] : [error];
}
