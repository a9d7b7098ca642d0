import { createSeededRandom } from "@tillkit/testkit";

/** The random choices of one case, which depend only on the seed and the case number. */
export type CaseRandom = {
  fraction(): number;
  /** Returns true with this probability. */
  happens(share: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** An exponentially distributed number, for the time between independent events. */
  exponential(mean: number): number;
};

export function createCaseRandom(seed: number, number: number): CaseRandom {
  const random = createSeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const fraction = () => random.fraction();
  return {
    fraction,
    happens: (share) => fraction() < share,
    pick: (values) => values[Math.floor(fraction() * values.length)] ?? values[0],
    exponential: (mean) => -Math.log(1 - fraction()) * mean,
  };
}
