import { createHmac } from "node:crypto";

/** `link`: URLs for shoppers; `reference`: references of payments at the service; `operator`: logins of operators. */
export type KeyPurpose = "link" | "reference" | "operator";

/** Derives one key for each purpose from one secret, so that a signature for one purpose is invalid for every other. */
export function purposeKey(key: string, purpose: KeyPurpose): string {
  return createHmac("sha256", key).update(`tillkit key for ${purpose}`).digest("base64url");
}
