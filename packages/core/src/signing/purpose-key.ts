import { createHmac } from "node:crypto";

/** `link` and `return`: addresses that shoppers open; `reference`: what a payment is called at the service; `operator`: sessions. */
export type KeyPurpose = "link" | "return" | "reference" | "operator";

/** One secret serves several purposes without one ever signing for another. */
export function purposeKey(key: string, purpose: KeyPurpose): string {
  return createHmac("sha256", key).update(`tillkit key for ${purpose}`).digest("base64url");
}
