import { describe, expect, it } from "vitest";
import type { Tier, Violation } from "./tier.ts";

/** Registers the share of a tier that `npm test` runs. It always contains the same cases. `skipReason`: why it cannot run here. */
export function testQuickShareOf(tier: Tier, skipReason: string | null = null): void {
  const note = skipReason === null ? "" : ` (skipped: ${skipReason})`;
  describe.skipIf(skipReason !== null)(`${tier.id}, a quick share${note}`, () => {
    it(tier.title, async () => {
      const violations: Violation[] = [];
      let cases = 0;
      for (let from = 0; from < tier.quick; from += tier.slice) {
        const outcome = await tier.run({ seed: 1, from, to: Math.min(tier.quick, from + tier.slice) });
        violations.push(...outcome.violations);
        cases += outcome.cases;
      }
      expect(violations.map(({ why, again }) => `${why}\n${again}`)).toEqual([]);
      expect(cases).toBe(tier.quick);
    });
  });
}
