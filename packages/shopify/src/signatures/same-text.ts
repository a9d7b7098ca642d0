import { timingSafeEqual } from "node:crypto";

/** In the same time whatever differs; texts of different lengths differ at once. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
