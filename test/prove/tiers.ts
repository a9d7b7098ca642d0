import type { Tier } from "./tier.ts";

/** Every tier of the programme, in the order in which they run. */
export const tiers: readonly Tier[] = [];
