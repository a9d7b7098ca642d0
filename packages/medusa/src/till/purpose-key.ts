import { createHmac } from "node:crypto";

/** One secret serves several purposes without one ever signing for another. */
export function purposeKey(key: string, purpose: "reference" | "return"): string {
  return createHmac("sha256", key).update(`tillkit key for ${purpose}`).digest("base64url");
}
