import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";

export type Count = { passed: number; failed: number };

/**
 * A test that may be skipped says so and why, with `context.skip("allowed: this Node has no node:sqlite")`.
 * Any other skipped test counts as failed where CI is set: there nothing may be missing.
 */
const allowed = /^allowed: \S/;

/**
 * Ends a run with one plain line, `N passed, N failed`. A file that could not be loaded, a hook that failed and an error
 * outside of any test count as failed too. With TILLKIT_COUNTS=<directory> the numbers go into a file there instead, for
 * the program that adds up several runs.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const missing = process.env.CI ? tests.filter((test) => isSkipped(test) && !allowed.test(noteOf(test))) : [];
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

function isSkipped(test: TestCase): boolean {
  return test.result().state === "skipped";
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" && result.note) || "";
}
