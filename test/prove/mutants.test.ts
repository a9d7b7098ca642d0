import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { allMutants } from "./mutants/all-mutants.ts";
import { findOccurrences } from "./mutants/apply-mutant.ts";
import { findMissingTests } from "./mutants/find-missing-tests.ts";
import { readLastDetections } from "./mutants/hunt-mutant.ts";
import { isForTiers, isOutsideCore, type Mutant } from "./mutants/mutant.ts";
import { copyWorkspace } from "./mutants/mutated-tree.ts";
import { tryNamedTests, whySkipped } from "./mutants/try-named-tests.ts";
import { testQuickShareOf } from "./quick-share.ts";
import { mutants as mutantTier } from "./tiers/mutants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("mutants of the source", () => {
  it.each(allMutants)("each edit of the mutant $id matches the source exactly once", ({ edits }) => {
    for (const { file, find, replace } of edits) {
      const count = findOccurrences(readFileSync(`${root}/${file}`, "utf8"), find).length;
      expect(`${count} times in ${file}: ${find}`).toBe(`1 times in ${file}: ${find}`);
      expect(replace).not.toBe(find);
    }
  });

  it("there are at least 120 mutants with unique names, a third of them outside core", () => {
    expect(allMutants.length).toBeGreaterThanOrEqual(120);
    expect(allMutants.filter(isOutsideCore).length).toBeGreaterThanOrEqual(allMutants.length / 3);
    expect(new Set(allMutants.map(({ id }) => id)).size).toBe(allMutants.length);
  });

  it("every mutant names a unit test, or a tier of the proof noticed it before", () => {
    const detections = readLastDetections();
    for (const mutant of allMutants) {
      const file = mutant.noticedBy?.file;
      if (file !== undefined) expect(file).toMatch(/^packages\/[a-z-]+\/test\/.*\.test\.ts$/);
      if (isForTiers(mutant)) expect(Object.keys(detections)).toContain(mutant.id);
    }
  });

  it("the file of each named test has a test with that title", async () => {
    const named = allMutants.flatMap((mutant) => (whySkipped(mutant) === null ? (mutant.noticedBy ?? []) : []));
    expect(await findMissingTests(root, named)).toEqual([]);
  });
});

describe("a named test", async () => {
  const tree = await copyWorkspace();
  afterAll(() => tree.remove());

  it("a named test notices a mutant only by a failed assertion", async () => {
    const reports = await tryNamedTests(tree, [
      example("noticed", 'purposeKey(key, "link")', 'purposeKey(key, "links")'),
      example("not loaded", "createHmac(", "createHmac(((("),
      example(
        "harmless",
        "const newestKey = purposeKey(keys[0]",
        "const newestKey = /* no change */ purposeKey(keys[0]",
      ),
      { ...example("unknown", "createHmac(", ""), noticedBy: { file: FILE, title: "there is no such test" } },
    ]);
    const noticed = { tried: true, noticed: true, why: expect.stringMatching(/^expected .*forged/) };
    expect(reports).toMatchObject([
      { id: "noticed", ...noticed },
      { id: "not loaded", tried: true, noticed: false, why: "no test ran" },
      { id: "harmless", tried: true, noticed: false, why: "the test passed" },
      { id: "unknown", tried: false, noticed: false, why: "without the mutant, there is no such test" },
    ]);
  });
});

const FILE = "packages/runtime/test/signed-tokens.test.ts";

function example(id: string, find: string, replace: string): Mutant {
  const title = "a token is valid only for the purpose it was signed for";
  const edits = [{ file: "packages/runtime/src/signed-tokens.ts", find, replace }];
  return { id, breaks: "An example.", edits, noticedBy: { file: FILE, title } };
}

testQuickShareOf(mutantTier);
