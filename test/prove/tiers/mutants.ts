import { allMutants } from "../mutants/all-mutants.ts";
import { type Fate, fatesOf } from "../mutants/fates.ts";
import { isOutsideCore } from "../mutants/mutant.ts";
import { copyWorkspace } from "../mutants/mutated-tree.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

/** Removes one safety check at a time from the code. The tests must notice every removal. */
export const mutants: Tier = {
  id: "T9",
  title:
    "a tier or a named test notices each safety that is removed from the engine, its ledgers, adapters and plugins",
  cases: allMutants.length,
  quick: 3,
  slice: 8,
  exclusive: false,
  run,
};

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const tree = await copyWorkspace();
  const violations: Violation[] = [];
  const figures: Record<string, number> = {};
  const count = (name: string) => {
    figures[name] = (figures[name] ?? 0) + 1;
  };
  try {
    const chosen = allMutants.slice(from, to);
    const fates = await fatesOf(tree, chosen);
    for (const [index, mutant] of chosen.entries()) {
      const fate = fates.get(mutant.id);
      if (!fate) throw new Error(`The mutant ${mutant.id} has no result.`);
      count(nameOf(fate));
      if (isOutsideCore(mutant)) count("outside core");
      figures["slowest ms"] = Math.max(figures["slowest ms"] ?? 0, fate.ms);
      if (fate.kind !== "survived") continue;
      const why = `the mutant ${mutant.id} survived: ${fate.why}. ${mutant.breaks}`;
      violations.push({ case: from + index, why, again: repeatCommand("T9", seed, from + index) });
    }
    return { cases: chosen.length, violations, figures };
  } finally {
    await tree.remove();
  }
}

function nameOf(fate: Fate): string {
  if (fate.kind === "killed") return `killed by ${fate.by}`;
  return fate.kind === "survived" ? "survived" : `skipped because ${fate.why}`;
}
