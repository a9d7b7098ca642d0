import type { Random } from "@tillkit/core";

/** Deterministic randomness: the same seed gives the same sequence. Never use it for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;

  // Mulberry32 is random enough for a simulation. The constants are part of the algorithm.
  function nextWord(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  return {
    fraction: () => nextWord() / 2 ** 32,
    uuid: () => {
      const hex = hexOf(nextWord()) + hexOf(nextWord()) + hexOf(nextWord()) + hexOf(nextWord());
      // A random UUID has version 4 at one fixed place and one of four variants at another.
      const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

function hexOf(word: number): string {
  return word.toString(16).padStart(8, "0");
}
