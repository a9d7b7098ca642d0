import type { Random } from "@tillkit/core";

/**
 * Ids that count from 1, so that two schedules which differ in nothing else have the same ids. `fraction` is always the same.
 * @param name a number that no other source has, below 2^32
 */
export function createCountingRandom(name: number, fraction: number): Random {
  let count = 0;
  return {
    fraction: () => fraction,
    uuid: () => {
      count += 1;
      const [prefix, suffix] = [name.toString(16).padStart(8, "0"), count.toString(16).padStart(12, "0")];
      return `${prefix}-0000-4000-8000-${suffix}`;
    },
  };
}
