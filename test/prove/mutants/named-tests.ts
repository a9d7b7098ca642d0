// Runs inside a copy of the workspace: one start of vitest tries the named tests of many mutants, one mutant after another.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/named-tests.ts < mutants as JSON
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createVitest, type TestResult, type TestRunResult, type Vitest } from "vitest/node";
import { withMutant } from "./apply-mutant.ts";
import type { Mutant, NamedTest } from "./mutant.ts";

/** What a named test said of a mutant. `tried` false: the test proves nothing, because it does not pass without the mutant. */
export type TestReport = {
  readonly id: string;
  readonly tried: boolean;
  readonly noticed: boolean;
  readonly why: string;
  readonly ms: number;
};

type EndedTest = TestResult & { readonly name: string };

type Tried = Pick<Mutant, "id" | "edits"> & { readonly noticedBy: NamedTest };

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const mutants = JSON.parse(await text(process.stdin)) as readonly Tried[];
const vitest = await createVitest("test", {
  root: ROOT,
  config: join(ROOT, "vitest.config.ts"),
  project: ["unit"],
  watch: false,
  maxWorkers: 1,
  reporters: [{}],
});
/** How the tests of each file end without a mutant, all those that are named run at once. */
const clean = new Map<string, readonly EndedTest[]>();
try {
  for (const file of new Set(mutants.map(({ noticedBy }) => noticedBy.file))) {
    const titles = mutants.flatMap(({ noticedBy }) => (noticedBy.file === file ? [noticedBy.title] : []));
    clean.set(file, await runTests(vitest, file, titles));
  }
  for (const mutant of mutants) process.stdout.write(`${JSON.stringify(await tryMutant(mutant))}\n`);
} finally {
  await vitest.close();
}
process.exit();

async function tryMutant(mutant: Tried): Promise<TestReport> {
  const startedAt = Date.now();
  const report = (tried: boolean, noticed: boolean, why: string): TestReport => {
    return { id: mutant.id, tried, noticed, why, ms: Date.now() - startedAt };
  };
  const { file, title } = mutant.noticedBy;
  const before = (clean.get(file) ?? []).filter(({ name }) => name === title);
  const trouble = before.length === 0 ? "there is no such test" : before.map(notPassed).find(isText);
  if (trouble !== undefined) return report(false, false, `without the mutant, ${trouble}`);
  const changed = mutant.edits.map((edit) => join(ROOT, edit.file));
  const mutated = await withMutant(ROOT, mutant, async () => {
    forget(changed);
    return await runTests(vitest, file, [title]);
  });
  forget(changed);
  const assertion = mutated.map(failedAssertion).find(isText);
  if (assertion !== undefined) return report(true, true, assertion);
  const reason = mutated.length === 0 ? "no test ran" : (mutated.map(notPassed).find(isText) ?? "the test passed");
  return report(true, false, reason);
}

/** The tests of that file with these titles, as they ended; those that were skipped are left out. */
async function runTests(runner: Vitest, file: string, titles: readonly string[]): Promise<readonly EndedTest[]> {
  const path = join(ROOT, file);
  const specifications = (await runner.globTestSpecifications([path])).filter(({ moduleId }) => moduleId === path);
  // The plugin's PHP runs as a whole unless it is told a title, and a mutant may keep another of its tests busy for ever.
  process.env.TILLKIT_PHP_TITLE = titles.length === 1 ? titles[0] : "";
  runner.setGlobalTestNamePattern(new RegExp(`(?:${titles.map(escaped).join("|")})$`));
  const { testModules }: TestRunResult = await runner.runTestSpecifications(specifications);
  return testModules
    .flatMap((module) => [...module.children.allTests()])
    .map((test) => ({ name: test.name, ...test.result() }))
    .filter(({ name, state }) => titles.includes(name) && state !== "skipped");
}

function forget(files: readonly string[]): void {
  for (const file of files) vitest.invalidateFile(file);
}

function notPassed({ state, errors }: EndedTest): string | undefined {
  return state === "passed" ? undefined : `the test ${state}: ${firstLine(errors?.[0]?.message)}`;
}

// A test that falls over has noticed nothing: it fails by what it asserts, or a property that it tries by what that asserts.
function failedAssertion({ errors: all }: EndedTest): string | undefined {
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

function escaped(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
