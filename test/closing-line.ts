import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/** `failures`: one line for each, the test's whole name and the first line of its error. */
export type Count = { passed: number; failed: number; failures: readonly string[] };

/** A test that may be skipped gives the reason in its title or in the title of its group: "(skipped: the shop has no refunds)". */
const skipReason = /\(skipped: \S.*\)/;

/**
 * Ends a run with one plain line, `N passed, N failed`. A file that could not be loaded, a hook that failed and an error
 * outside of any test count as failed too; in CI, so does a test that was skipped without a reason. With
 * TILLKIT_COUNTS=<directory> the numbers go into a file there, for the program that adds up several runs.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const unexplained = tests.filter((test) => test.result().state === "skipped" && !skipReason.test(test.fullName));
    const failures = [
      ...tests
        .filter((test) => test.result().state === "failed")
        .map((test) => describeFailure(test, test.result().errors)),
      ...modules.flatMap((module) => [module, ...module.children.allSuites()]).flatMap(suiteFailures),
      ...(process.env.CI ? unexplained : []).map(
        (test) => `${nameOf(test)}: skipped without "(skipped: reason)" in its title, which fails in CI`,
      ),
      ...unhandledErrors.map((error) => `An error outside of any test: ${firstLine(error)}`),
    ];
    if (failures.length > 0) process.exitCode = 1;
    report({
      passed: tests.filter((test) => test.result().state === "passed").length,
      failed: failures.length,
      failures,
    });
  }
}

type TestItem = TestCase | TestSuite | TestModule;

function suiteFailures(suite: TestModule | TestSuite): string[] {
  return suite.errors().length > 0 ? [describeFailure(suite, suite.errors())] : [];
}

function describeFailure(item: TestItem, errors: readonly SerializedError[] = []): string {
  return `${nameOf(item)}: ${firstLine(errors[0])}`;
}

function nameOf(item: TestItem): string {
  if (item.type === "module") return item.relativeModuleId;
  return `${item.module.relativeModuleId} > ${item.fullName}`;
}

function firstLine(error: SerializedError | undefined): string {
  return `${error?.message ?? "no message"}`.split("\n")[0] ?? "";
}

function report(count: Count): void {
  const directory = process.env.TILLKIT_COUNTS;
  if (directory === undefined) {
    if (count.failed > 0) console.log(["Failed:", ...count.failures].join("\n  "));
    console.log(`${count.passed} passed, ${count.failed} failed`);
    return;
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(count));
}
