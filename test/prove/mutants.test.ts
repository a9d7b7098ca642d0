import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { allMutants } from "./mutants/all-mutants.ts";
import { quickShare } from "./quick-share.ts";
import { mutants } from "./tiers/mutants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("mutants of the safety core", () => {
  it.each(allMutants)("$id: each of its places is in the source exactly once", ({ edits }) => {
    for (const { file, find, replace } of edits) {
      const count = readFileSync(`${root}/${file}`, "utf8").split(find).length - 1;
      expect(`${count} times in ${file}: ${find}`).toBe(`1 times in ${file}: ${find}`);
      expect(replace).not.toBe(find);
    }
  });

  it("are about forty, each with its own name", () => {
    expect(allMutants.length).toBeGreaterThanOrEqual(40);
    expect(new Set(allMutants.map(({ id }) => id)).size).toBe(allMutants.length);
  });
});

quickShare(mutants);
