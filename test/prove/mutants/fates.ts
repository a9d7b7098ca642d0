import type { HuntingTier } from "./hunt.ts";
import { huntMutant } from "./hunt-mutant.ts";
import { isForTiers, type Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";
import { tryNamedTests, whySkipped } from "./try-named-tests.ts";

/** Whether a test or a tier noticed the mutant, and how long the hunt took. */
export type Fate =
  | {
      readonly kind: "killed";
      readonly by: HuntingTier | "a unit test";
      readonly why: string;
      readonly ms: number;
    }
  | { readonly kind: "survived"; readonly why: string; readonly ms: number }
  | { readonly kind: "skipped"; readonly why: string; readonly ms: number };

/** Hunts the mutants of invariants with the tiers, one by one. The others are then tried with their named tests. */
export async function fatesOf(
  tree: MutatedTree,
  mutants: readonly Mutant[],
  huntMs?: number,
): Promise<ReadonlyMap<string, Fate>> {
  const fates = new Map<string, Fate>();
  for (const mutant of mutants) {
    const reasonToSkip = whySkipped(mutant);
    if (reasonToSkip !== null) fates.set(mutant.id, { kind: "skipped", why: reasonToSkip, ms: 0 });
    else if (isForTiers(mutant)) fates.set(mutant.id, await fateInTiers(tree, mutant, huntMs));
  }
  const remaining = mutants.filter(
    ({ id, noticedBy }) => noticedBy && (fates.get(id)?.kind ?? "survived") === "survived",
  );
  for (const { id, tried, noticed, why, ms } of await tryNamedTests(tree, remaining)) {
    const huntedMs = fates.get(id)?.ms ?? 0;
    const details = { why: tried ? why : `its test proves nothing: ${why}`, ms: huntedMs + ms };
    fates.set(id, noticed ? { kind: "killed", by: "a unit test", ...details } : { kind: "survived", ...details });
  }
  return fates;
}

async function fateInTiers(tree: MutatedTree, mutant: Mutant, huntMs?: number): Promise<Fate> {
  const { at, why, cases, ms } = await huntMutant(tree, mutant, huntMs);
  if (at === null) return { kind: "survived", why: `${cases} cases noticed nothing`, ms };
  return { kind: "killed", by: at.tier, why: why.split("\n")[0] ?? "", ms };
}
