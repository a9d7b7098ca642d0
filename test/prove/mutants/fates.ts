import type { Hunter } from "./hunt.ts";
import { huntMutant } from "./hunt-mutant.ts";
import { isForTiers, type Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";
import { tryNamedTests, whyNotHere } from "./try-named-tests.ts";

/** What became of a mutant, and how long it was hunted for. */
export type Fate =
  | {
      readonly kind: "killed";
      readonly by: Hunter | "a unit test";
      readonly why: string;
      readonly ms: number;
    }
  | { readonly kind: "survived"; readonly why: string; readonly ms: number }
  | { readonly kind: "skipped"; readonly why: string; readonly ms: number };

/** Hunts mutants, one after another: with the tiers those of the promise, then with their named tests all that are left. */
export async function fatesOf(
  tree: MutatedTree,
  mutants: readonly Mutant[],
  patienceMs?: number,
): Promise<ReadonlyMap<string, Fate>> {
  const fates = new Map<string, Fate>();
  for (const mutant of mutants) {
    const missing = whyNotHere(mutant);
    if (missing !== null) fates.set(mutant.id, { kind: "skipped", why: missing, ms: 0 });
    else if (isForTiers(mutant)) fates.set(mutant.id, await fateInTiers(tree, mutant, patienceMs));
  }
  const left = mutants.filter(({ id, noticedBy }) => noticedBy && (fates.get(id)?.kind ?? "survived") === "survived");
  for (const { id, tried, noticed, why, ms } of await tryNamedTests(tree, left)) {
    const before = fates.get(id)?.ms ?? 0;
    const spent = { why: tried ? why : `its test proves nothing: ${why}`, ms: before + ms };
    fates.set(id, noticed ? { kind: "killed", by: "a unit test", ...spent } : { kind: "survived", ...spent });
  }
  return fates;
}

async function fateInTiers(tree: MutatedTree, mutant: Mutant, patienceMs?: number): Promise<Fate> {
  const { at, why, cases, ms } = await huntMutant(tree, mutant, patienceMs);
  if (at === null) return { kind: "survived", why: `${cases} cases noticed nothing`, ms };
  return { kind: "killed", by: at.tier, why: why.split("\n")[0] ?? "", ms };
}
