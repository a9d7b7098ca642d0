import type { CaseResult } from "../kills/case-result.ts";
import { CASES, QUICK } from "../kills/cases.ts";
import { openResources } from "../kills/resources.ts";
import { repeatCommand, type Tier, type Violation } from "../tier.ts";

export const kills: Tier = {
  id: "T3",
  title: "a process that is killed at any step or at any moment loses nothing and does nothing twice",
  cases: CASES.length,
  quick: QUICK,
  slice: 25,
  exclusive: false,
  run: async ({ seed, from, to }) => {
    const violations: Violation[] = [];
    const figures = { kills: 0, checkouts: 0 };
    const resources = await openResources(1);
    try {
      for (const [index, killCase] of CASES.slice(from, to).entries()) {
        const number = from + index;
        const again = repeatCommand("T3", seed, number);
        const {
          violations: found,
          kills: killed,
          checkouts,
        } = await killCase.run(resources, seed, number).catch(failedCase);
        violations.push(...found.map((why) => ({ case: number, why: `${killCase.title}: ${why}`, again })));
        figures.kills += killed;
        figures.checkouts += checkouts;
      }
    } finally {
      await resources.close();
    }
    return { cases: to - from, violations, figures };
  },
};

function failedCase(error: unknown): CaseResult {
  return {
    violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    kills: 0,
    checkouts: 0,
  };
}
