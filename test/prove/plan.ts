import type { Slice, Tier } from "./tier.ts";

export type Task = { readonly tier: Tier; readonly slice: Slice };

/** Part `index` of `of`, from 1: what this machine takes when several share a run. */
export type Part = { readonly index: number; readonly of: number };

export type Wanted = {
  readonly tiers: readonly Tier[];
  readonly share: number;
  readonly seed: number;
  readonly part: Part;
  /** Only this case of the one tier. */
  readonly only: number | null;
};

/** What is to be done, in order: the tiers that want the machine for themselves come last. */
export function planOf({ tiers, share, seed, part, only }: Wanted): readonly Task[] {
  const ordered = [...tiers.filter(({ alone }) => !alone), ...tiers.filter(({ alone }) => alone)];
  if (only !== null) return ordered.map((tier) => ({ tier, slice: { seed, from: only, to: only + 1 } }));
  const all = ordered.flatMap((tier) => slicesOf(tier, share, seed).map((slice) => ({ tier, slice })));
  return all.filter((_, index) => index % part.of === part.index - 1);
}

/** At least one case, however small the share. */
function casesOf({ cases }: Tier, share: number): number {
  return Math.max(1, Math.round(cases * share));
}

function slicesOf(tier: Tier, share: number, seed: number): readonly Slice[] {
  const end = casesOf(tier, share);
  const count = Math.ceil(end / tier.slice);
  return Array.from({ length: count }, (_, index) => {
    const from = index * tier.slice;
    return { seed, from, to: Math.min(end, from + tier.slice) };
  });
}
