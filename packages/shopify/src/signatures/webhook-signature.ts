import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";

/** Whether Shopify signed these bytes. `signature`: the value of `X-Shopify-Hmac-Sha256`, in base64. */
export function isWebhookSignedByShopify(bytes: Uint8Array, signature: string, secret: string): boolean {
  return constantTimeEqual(createHmac("sha256", secret).update(bytes).digest("base64"), signature);
}
