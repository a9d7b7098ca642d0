import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time; not even the lengths show. */
export function sameSecret(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
