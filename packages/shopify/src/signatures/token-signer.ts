import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";

/** What a token is for. A token of one purpose is rejected for every other purpose. */
export type TokenPurpose = "oauth-state" | "owner" | "ticket" | "form";

/** Signs the values that a browser stores for us: cookies, links and form fields. */
export type TokenSigner = {
  /** `expiresAt` in milliseconds since 1970. */
  sign(purpose: TokenPurpose, value: string, expiresAt: number): string;
  /** The value of a token that was signed for this purpose and has not expired, else null. */
  verify(purpose: TokenPurpose, token: string, now: number): string | null;
};

const TOKEN = /^([\w-]{1,600})\.(\d{1,15})\.([\w-]{43})$/;

/** Signs with the first key, which is the newest, and accepts tokens of every key. */
export function createTokenSigner(keys: readonly string[]): TokenSigner {
  const derivedKeys = keys.map(deriveKey);
  const [newestKey = ""] = derivedKeys;
  return {
    sign(purpose, value, expiresAt) {
      const text = Buffer.from(value).toString("base64url");
      return `${text}.${expiresAt}.${signatureOf(newestKey, purpose, text, String(expiresAt))}`;
    },
    verify(purpose, token, now) {
      const [, text = "", expiresAt = "", signature = ""] = TOKEN.exec(token) ?? [];
      const isSigned = derivedKeys.some((key) =>
        constantTimeEqual(signatureOf(key, purpose, text, expiresAt), signature),
      );
      return isSigned && Number(expiresAt) > now ? Buffer.from(text, "base64url").toString("utf8") : null;
    },
  };
}

/** Derives another key, so that no signature of this package is valid on a shopper's link of the checkout server. */
function deriveKey(key: string): string {
  return createHmac("sha256", key).update("tillkit key for shopify").digest("base64url");
}

function signatureOf(key: string, purpose: TokenPurpose, text: string, expiresAt: string): string {
  return createHmac("sha256", key).update(`tillkit shopify ${purpose} ${text} ${expiresAt}`).digest("base64url");
}
