import { describe, expect, it, type RunnerTestCase, type RunnerTestSuite } from "vitest";
import { statements, unproven } from "../statements.ts";

type Task = RunnerTestCase | RunnerTestSuite | { readonly type: string; readonly name: string };

/** Runs last, because it reads the results of all earlier tests. */
describe("Coverage of the statements of the service's API", () => {
  it("every statement is proven by tests that passed, or has a reason why no test can prove it", ({ task }) => {
    const passed = task.file.tasks.flatMap((child) => passedTests(child, ""));
    const rows = Object.entries(statements).flatMap(([section, list]) =>
      list.map(({ says, provenBy }) => {
        const counts = provenBy.map((part) => passed.filter((name) => name.includes(part)).length);
        return {
          section,
          says,
          tests: counts.reduce((sum, count) => sum + count, 0),
          missing: provenBy.filter((_, index) => counts[index] === 0),
        };
      }),
    );
    const lines = rows.map(({ section, says, tests }) => `${section.padEnd(28)} ${String(tests).padStart(4)}  ${says}`);
    const reasons = Object.entries(unproven).map(([says, why]) => `${"no test".padEnd(28)}    –  ${says}: ${why}`);
    console.log(["section                     tests  statement", ...lines, ...reasons].join("\n"));
    expect(rows.filter(({ missing }) => missing.length > 0)).toEqual([]);
  });
});

/** The full names of the passed tests in a test or suite. */
function passedTests(task: Task, suiteName: string): readonly string[] {
  const name = suiteName === "" ? task.name : `${suiteName} > ${task.name}`;
  if ("tasks" in task) return task.tasks.flatMap((child) => passedTests(child, name));
  return "result" in task && task.result?.state === "pass" ? [name] : [];
}
