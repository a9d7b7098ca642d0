import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";

/** The secrets that a store's plugin shares with the checkout server, the current one first. They sign calls and pay links. */
export type LinkSecrets = readonly [string, ...string[]];

export function sign(lines: readonly string[], secret: string): string {
  return `v1.${createHmac("sha256", secret).update(lines.join("\n")).digest("hex")}`;
}

/** Compares with every secret in constant time, so that the duration does not reveal which secret matched. */
export function isSigned(lines: readonly string[], signature: string, secrets: LinkSecrets): boolean {
  return secrets.filter((secret) => constantTimeEqual(sign(lines, secret), signature)).length > 0;
}
