import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether two strings are equal, for secrets, tokens and signatures. The duration reveals neither where the strings differ
 * nor whether their lengths differ, because the function compares digests of equal length.
 */
export function constantTimeEqual(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

// UTF-16 keeps every string apart; UTF-8 turns all lone surrogates into the same replacement character.
function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf16le").digest();
}
