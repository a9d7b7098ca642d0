import type { Slice, Tier } from "./tier.ts";

export type Task = { readonly tier: Tier; readonly slice: Slice };

/** Part `index` (from 1) of `of` parts: the share of this machine when several machines divide a run. */
export type Part = { readonly index: number; readonly of: number };

export type PlanOptions = {
  readonly tiers: readonly Tier[];
  readonly share: number;
  readonly seed: number;
  readonly part: Part;
  /** Run only this case of the single tier. */
  readonly only: number | null;
};

/** The tasks in order. Exclusive tiers, which need the whole machine, come last. */
export function planOf({ tiers, share, seed, part, only }: PlanOptions): readonly Task[] {
  const ordered = [...tiers.filter(({ exclusive }) => !exclusive), ...tiers.filter(({ exclusive }) => exclusive)];
  if (only !== null) return ordered.map((tier) => ({ tier, slice: { seed, from: only, to: only + 1 } }));
  const all = ordered.flatMap((tier) => slicesOf(tier, share, seed).map((slice) => ({ tier, slice })));
  return all.filter((_, index) => index % part.of === part.index - 1);
}

/** At least one case, for any share. */
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
