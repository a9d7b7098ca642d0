// Runs inside a copy of the workspace. One start of vitest tries the named tests of many mutants, one after another.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/named-tests.ts < mutants as JSON
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createVitest, type TestResult, type TestRunResult, type Vitest } from "vitest/node";
import { withMutant } from "./apply-mutant.ts";
import type { Mutant, NamedTest } from "./mutant.ts";

/** The result of a mutant's named test. `tried` is false if the test does not pass without the mutant and so proves nothing. */
export type TestReport = {
  readonly id: string;
  readonly tried: boolean;
  readonly noticed: boolean;
  readonly why: string;
  readonly ms: number;
};

type FinishedTest = TestResult & { readonly name: string };

type MutantWithTest = Pick<Mutant, "id" | "edits"> & { readonly noticedBy: NamedTest };

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const mutants = JSON.parse(await text(process.stdin)) as readonly MutantWithTest[];
const vitest = await createVitest("test", {
  root: ROOT,
  config: join(ROOT, "vitest.config.ts"),
  project: ["unit"],
  watch: false,
  maxWorkers: 1,
  // An empty reporter prints nothing.
  reporters: [{}],
});
/** The results of each file's named tests without a mutant. They run once per file. */
const unmutated = new Map<string, readonly FinishedTest[]>();
try {
  for (const file of new Set(mutants.map(({ noticedBy }) => noticedBy.file))) {
    const titles = mutants.flatMap(({ noticedBy }) => (noticedBy.file === file ? [noticedBy.title] : []));
    unmutated.set(file, await runTests(vitest, file, titles));
  }
  for (const mutant of mutants) process.stdout.write(`${JSON.stringify(await tryMutant(mutant))}\n`);
} finally {
  await vitest.close();
}
process.exit();

async function tryMutant(mutant: MutantWithTest): Promise<TestReport> {
  const startedAt = Date.now();
  const report = (tried: boolean, noticed: boolean, why: string): TestReport => {
    return { id: mutant.id, tried, noticed, why, ms: Date.now() - startedAt };
  };
  const { file, title } = mutant.noticedBy;
  const before = (unmutated.get(file) ?? []).filter(({ name }) => name === title);
  const problem = before.length === 0 ? "there is no such test" : before.map(describeFailure).find(isText);
  if (problem !== undefined) return report(false, false, `without the mutant, ${problem}`);
  const changed = mutant.edits.map((edit) => join(ROOT, edit.file));
  const mutated = await withMutant(ROOT, mutant, async () => {
    invalidate(changed);
    return await runTests(vitest, file, [title]);
  });
  invalidate(changed);
  const assertion = mutated.map(failedAssertion).find(isText);
  if (assertion !== undefined) return report(true, true, assertion);
  const reason =
    mutated.length === 0 ? "no test ran" : (mutated.map(describeFailure).find(isText) ?? "the test passed");
  return report(true, false, reason);
}

/** Runs the file's tests with these titles and returns their results, without skipped tests. */
async function runTests(runner: Vitest, file: string, titles: readonly string[]): Promise<readonly FinishedTest[]> {
  const path = join(ROOT, file);
  const specifications = (await runner.globTestSpecifications([path])).filter(({ moduleId }) => moduleId === path);
  // Without a title all PHP tests of the plugin run, and a mutant may make one of them run forever.
  process.env.TILLKIT_PHP_TITLE = titles.length === 1 ? titles[0] : "";
  runner.setGlobalTestNamePattern(new RegExp(`(?:${titles.map(escapePattern).join("|")})$`));
  const { testModules }: TestRunResult = await runner.runTestSpecifications(specifications);
  return testModules
    .flatMap((module) => [...module.children.allTests()])
    .map((test) => ({ name: test.name, ...test.result() }))
    .filter(({ name, state }) => titles.includes(name) && state !== "skipped");
}

function invalidate(files: readonly string[]): void {
  for (const file of files) vitest.invalidateFile(file);
}

function describeFailure({ state, errors }: FinishedTest): string | undefined {
  return state === "passed" ? undefined : `the test ${state}: ${firstLine(errors?.[0]?.message)}`;
}

// Only a failed assertion counts, not another error. A property-based test has the assertion as the cause of its error.
function failedAssertion({ errors: all }: FinishedTest): string | undefined {
  const errors = all?.flatMap((error) => [error, ...(error.cause ? [error.cause] : [])]);
  const assertion = errors?.find(({ name }) => name === "AssertionError");
  return assertion && firstLine(assertion.message);
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

function firstLine(message = "no message"): string {
  return message.split("\n")[0] ?? "";
}

function escapePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
