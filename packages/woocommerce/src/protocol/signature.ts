import { createHmac, timingSafeEqual } from "node:crypto";

/** A store's link secrets, the current one first. */
export type LinkSecrets = readonly [string, ...string[]];

export function sign(lines: readonly string[], secret: string): string {
  return `v1.${createHmac("sha256", secret).update(lines.join("\n")).digest("hex")}`;
}

/** In constant time; every secret is tried, so that the time does not tell which one fits. */
export function isSigned(lines: readonly string[], signature: string, secrets: LinkSecrets): boolean {
  return secrets.filter((secret) => sameText(sign(lines, secret), signature)).length > 0;
}

/** In constant time where the lengths are equal. */
export function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
