import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Clock } from "@tillkit/core";
import { purposeKey } from "@tillkit/core/hosts";
import { runtimeLimits } from "./limits.ts";

/** `forged`: well-formed, but not signed by these keys for this purpose. `malformed`: not a token, or cut off. */
export type TokenReading =
  | { readonly status: "valid"; readonly value: string }
  | { readonly status: "expired" | "forged" | "malformed" };

/** Tokens for URLs. A token is valid only for the purpose it was signed for. */
export type SignedTokens<Purpose extends string> = {
  /** Signs a token that expires after 30 days. */
  sign(purpose: Purpose, value: string): string;
  read(purpose: Purpose, token: string): TokenReading;
  /** Signs a token that never expires. The same value has the same token as long as the newest key stays. */
  signPermanent(purpose: Purpose, value: string): string;
  /** Returns the value; null when the token is malformed or not signed by these keys for this purpose. */
  readPermanent(purpose: Purpose, token: string): string | null;
};

// The value in base64url, the expiry in seconds since 1970, and a signature of 32 bytes in base64url.
const TOKEN = /^([A-Za-z0-9_-]{1,400})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
const PERMANENT_TOKEN = /^([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/;

/** Signs with the first key and accepts every key, so that keys can be rotated. Signatures are HMAC-SHA256. */
export function createSignedTokens<Purpose extends string>(
  keys: readonly [string, ...string[]],
  clock: Clock,
): SignedTokens<Purpose> {
  const newestKey = purposeKey(keys[0], "link");
  const allKeys = keys.map((key) => purposeKey(key, "link"));

  function isSigned(signature: string, purpose: Purpose, value: string, expiry: string): boolean {
    return allKeys.some((key) => constantTimeEqual(signatureOf(key, purpose, value, expiry), signature));
  }

  return {
    sign(purpose, value) {
      const encoded = Buffer.from(value).toString("base64url");
      const expiry = String(Math.floor((clock.now() + runtimeLimits.tokenLifetimeMs) / 1_000));
      return `${encoded}.${expiry}.${signatureOf(newestKey, purpose, encoded, expiry)}`;
    },
    read(purpose, token) {
      const [, encoded, expiry, signature] = TOKEN.exec(token) ?? [];
      if (encoded === undefined || expiry === undefined || signature === undefined) return { status: "malformed" };
      if (!isSigned(signature, purpose, encoded, expiry)) return { status: "forged" };
      if (Number(expiry) * 1_000 <= clock.now()) return { status: "expired" };
      return { status: "valid", value: Buffer.from(encoded, "base64url").toString() };
    },
    signPermanent(purpose, value) {
      const encoded = Buffer.from(value).toString("base64url");
      return `${encoded}.${signatureOf(newestKey, purpose, encoded, "")}`;
    },
    readPermanent(purpose, token) {
      const [, encoded, signature] = PERMANENT_TOKEN.exec(token) ?? [];
      if (encoded === undefined || signature === undefined || !isSigned(signature, purpose, encoded, "")) return null;
      return Buffer.from(encoded, "base64url").toString();
    },
  };
}

function signatureOf(key: string, purpose: string, encoded: string, expiry: string): string {
  return createHmac("sha256", key).update(`${purpose}.${encoded}.${expiry}`).digest("base64url");
}
