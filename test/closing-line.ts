import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

export type Count = { passed: number; failed: number };

/** A test that may be skipped says why in its title, or in that of its group: "(skipped: the shop has no refunds)". */
const reason = /\(skipped: \S.*\)/;

/**
 * Ends a run with one plain line, `N passed, N failed`. A file that could not be loaded, a hook that failed and an error
 * outside of any test count as failed too, and in CI a test that was skipped without a reason. With
 * TILLKIT_COUNTS=<directory> the numbers go into a file there, for the program that adds up several runs.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const unexplained = tests.filter((test) => test.result().state === "skipped" && !reason.test(test.fullName));
    const missing = process.env.CI ? unexplained : [];
    for (const test of missing)
      console.log(`Skipped, which fails in CI: ${test.module.relativeModuleId} > ${test.fullName}`);
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const count = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      failed:
        tests.filter((test) => test.result().state === "failed").length +
        broken.filter((suite) => suite.errors().length > 0).length +
        missing.length +
        unhandledErrors.length,
    };
    if (count.failed > 0) process.exitCode = 1;
    say(count);
  }
}

function say(count: Count): void {
  const directory = process.env.TILLKIT_COUNTS;
  if (directory === undefined) {
    console.log(`${count.passed} passed, ${count.failed} failed`);
    return;
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(count));
}
