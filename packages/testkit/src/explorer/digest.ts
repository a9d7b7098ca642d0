/** A hash of 53 bits. Two different states of a search of a million have the same one with a probability of 1 in 10,000. */
export type Digest = number;

/** The digest of everything that was mixed into `digest` before, and of `text`. */
export function mix(digest: Digest, text: string): Digest {
  let low = 0xdeadbeef ^ (digest % 0x1_0000_0000);
  let high = 0x41c6ce57 ^ Math.floor(digest / 0x1_0000_0000);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  // The constants are those of MurmurHash's last mix.
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return 0x1_0000_0000 * (0x1f_ffff & high) + (low >>> 0);
}

/** A text of anything that is passed to a port. Functions are left out. */
export function textOf(given: unknown): string {
  return JSON.stringify(given) ?? "";
}
