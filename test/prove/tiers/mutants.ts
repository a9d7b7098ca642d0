import { allMutants } from "../mutants/all-mutants.ts";
import { huntMutant } from "../mutants/hunt-mutant.ts";
import { plantTree } from "../mutants/mutated-tree.ts";
import { repeatCommand, type Tier, type Violation } from "../tier.ts";

/** Safeties of the engine, taken away one by one: the programme is worth something when it notices each of them. */
export const mutants: Tier = {
  id: "T9",
  title: "Whatever safety is taken away from the engine, the model, the simulation or the kills notice it",
  cases: allMutants.length,
  quick: 3,
  slice: 2,
  alone: false,
  async run({ seed, from, to }) {
    const tree = await plantTree();
    const violations: Violation[] = [];
    const figures: Record<string, number> = {};
    try {
      for (let number = from; number < to; number += 1) {
        const mutant = allMutants[number];
        if (!mutant) continue;
        const { at, cases, ms } = await huntMutant(tree, mutant);
        const name = at === null ? "survived" : `killed by ${at.tier}`;
        figures[name] = (figures[name] ?? 0) + 1;
        figures["slowest ms"] = Math.max(figures["slowest ms"] ?? 0, ms);
        if (at !== null) continue;
        const why = `the mutant ${mutant.id} survived ${cases} cases. ${mutant.breaks}`;
        violations.push({ case: number, why, again: repeatCommand("T9", seed, number) });
      }
    } finally {
      await tree.remove();
    }
    return { cases: to - from, violations, figures };
  },
};
