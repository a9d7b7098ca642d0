import { createHmac } from "node:crypto";
import { sameText } from "./same-text.ts";

/** Whether Shopify signed exactly these bytes: base64 in `X-Shopify-Hmac-Sha256`. */
export function isSignedWebhook(bytes: Uint8Array, signature: string, secret: string): boolean {
  return sameText(createHmac("sha256", secret).update(bytes).digest("base64"), signature);
}
