import { CASES, QUICK } from "../kills/cases.ts";
import { withResources } from "../kills/resources.ts";
import { repeatCommand, type Tier, type Violation } from "../tier.ts";

export const kills: Tier = {
  id: "T3",
  title: "A process that is killed at any step, or at any moment, loses nothing and does nothing twice",
  cases: CASES.length,
  quick: QUICK,
  slice: 25,
  alone: false,
  run: ({ seed, from, to }) =>
    withResources(1, async (resources) => {
      const violations: Violation[] = [];
      const figures = { kills: 0, checkouts: 0 };
      for (let number = from; number < to; number += 1) {
        const one = CASES[number];
        if (!one) continue;
        const again = repeatCommand("T3", seed, number);
        try {
          const { broken, kills: killed, checkouts } = await one.run(resources, seed, number);
          violations.push(...broken.map((why) => ({ case: number, why: `${one.title}: ${why}`, again })));
          figures.kills += killed;
          figures.checkouts += checkouts;
        } catch (error) {
          const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
          violations.push({ case: number, why: `${one.title}: ${why}`, again });
        }
      }
      return { cases: to - from, violations, figures };
    }),
};
