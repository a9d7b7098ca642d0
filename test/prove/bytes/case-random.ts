import { createSeededRandom } from "@tillkit/testkit";

/** The random choices of one case, which depend only on the seed and the case number. */
export type CaseRandom = {
  /** Returns a whole number from 0 to `end`, exclusive. */
  below(end: number): number;
  /** Returns true once in `times` calls on average. */
  oneIn(times: number): boolean;
  pick<Value>(...values: readonly [Value, ...Value[]]): Value;
  bytes(length: number): Buffer;
};

export function createCaseRandom(seed: number, number: number): CaseRandom {
  const { fraction } = createSeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const below = (end: number) => Math.floor(fraction() * end);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (...values) => values[below(values.length)] ?? values[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
