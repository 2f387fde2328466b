import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs the suites that take minutes first, so that at the end of a run no worker waits for one of them. */
export default class LongestFirst extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(suites)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/** Projects stay together, because a worker that changes the project loads all modules again. */
function rankOf({ project, moduleId }: TestSpecification): number {
  if (moduleId.endsWith("/every-page.test.ts")) return 0;
  if (project.name === "web") return 1;
  return moduleId.endsWith(".slow.test.ts") ? 2 : 3;
}
