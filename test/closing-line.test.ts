import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const reporter = fileURLToPath(new URL("closing-line.ts", import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-closing-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const passingTest = 'it("passes", () => {});';

describe("the closing line of a test run", () => {
  it("the closing line counts a failed test, a failed hook, an unhandled error and a file that cannot be loaded", async () => {
    await writeFile(join(folder, "broken.test.ts"), 'throw new Error("no");');
    const failingTest = 'it("fails", () => { throw new Error("no"); });';
    const failingHook = 'describe("a", () => { beforeAll(() => { throw new Error("no"); }); it("b", () => {}); });';
    const leakingTest = 'it("leaks", () => { void Promise.reject(new Error("no")); });';
    const ending = await runTests(`${passingTest} ${failingTest} ${failingHook} ${leakingTest}`);
    expect(ending).toEqual({ failed: true, lastLine: "2 passed, 4 failed" });
  });

  const skippedTest = 'it.skip("looks at the page", () => {});';
  const explainedSkip = 'it.skip("refunds a payment (skipped: the shop has no refunds)", () => {});';

  it("the closing line accepts skipped tests outside CI", async () => {
    const ending = await runTests(`${passingTest} ${skippedTest} ${explainedSkip}`);
    expect(ending).toEqual({ failed: false, lastLine: "1 passed, 0 failed" });
  });

  it("the closing line counts a skipped test as failed in CI unless its title says why", async () => {
    const ending = await runTests(`${passingTest} ${skippedTest} ${explainedSkip}`, { CI: "true" });
    expect(ending).toEqual({ failed: true, lastLine: "1 passed, 1 failed" });
    const allowed = await runTests(`${passingTest} ${explainedSkip}`, { CI: "true" });
    expect(allowed).toEqual({ failed: false, lastLine: "1 passed, 0 failed" });
  });

  it("the closing line is written to a file for a program that adds up several runs", async () => {
    const countsFolder = join(folder, "counts");
    expect((await runTests(passingTest, { TILLKIT_COUNTS: countsFolder })).lastLine).not.toContain("passed, ");
    const [name = ""] = await readdir(countsFolder);
    expect(JSON.parse(await readFile(join(countsFolder, name), "utf8"))).toEqual({
      passed: 1,
      failed: 0,
      failures: [],
    });
  });

  it("the closing line names what failed with the first line of its error", async () => {
    const countsFolder = join(folder, "counts");
    const failingTest =
      'describe("the shop", () => { it("sells", () => { throw new Error("no coffee\\nat all"); }); });';
    await runTests(`${passingTest} ${failingTest}`, { TILLKIT_COUNTS: countsFolder });
    const [name = ""] = await readdir(countsFolder);
    const { failures } = JSON.parse(await readFile(join(countsFolder, name), "utf8"));
    expect(failures).toEqual(["some.test.ts > the shop > sells: no coffee"]);
  });
});

async function runTests(
  text: string,
  environment: Record<string, string> = {},
): Promise<{ failed: boolean; lastLine: string }> {
  await writeFile(join(folder, "some.test.ts"), text);
  const { CI: _, TILLKIT_COUNTS: __, ...rest } = process.env;
  const args = [vitest, "run", "--root", folder, "--globals", "--reporter", "default", "--reporter", reporter];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...rest, NO_COLOR: "1", ...environment } }, (error, out) => {
      resolve({ failed: error !== null, lastLine: out.trim().split("\n").at(-1) ?? "" });
    });
  });
}
