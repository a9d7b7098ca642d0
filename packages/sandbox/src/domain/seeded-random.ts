import { createHash } from "node:crypto";

/** Pseudo-random numbers from 0 to below 1. The same seed gives the same sequence. */
export function createSeededRandom(seed: string): () => number {
  let count = 0;
  return function nextFraction() {
    const digest = createHash("sha256").update(`${seed}:${count}`).digest();
    count += 1;
    return digest.readUInt32BE(0) / 2 ** 32;
  };
}
