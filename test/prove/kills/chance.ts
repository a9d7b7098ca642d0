import { createSeededRandom } from "@tillkit/testkit";

/** What a seed and a number decide. */
export type Chance = {
  fraction(): number;
  /** true in so many of 1. */
  happens(share: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** Of events that know nothing of each other: mostly short, sometimes long. */
  exponential(mean: number): number;
};

export function createChance(seed: number, number: number): Chance {
  const random = createSeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const fraction = () => random.fraction();
  return {
    fraction,
    happens: (share) => fraction() < share,
    pick: (values) => values[Math.floor(fraction() * values.length)] ?? values[0],
    exponential: (mean) => -Math.log(1 - fraction()) * mean,
  };
}
