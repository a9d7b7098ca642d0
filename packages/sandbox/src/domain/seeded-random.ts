import { createHash } from "node:crypto";

/** Numbers from 0 to below 1: the same sequence for the same seed. */
export function createSeededRandom(seed: string): () => number {
  let count = 0;
  return function nextFraction() {
    const digest = createHash("sha256").update(`${seed}:${count}`).digest();
    count += 1;
    return digest.readUInt32BE(0) / 2 ** 32;
  };
}
