import { createHmac } from "node:crypto";
import { sameText } from "./same-text.ts";

/** What one of our own signatures is for: none ever counts for another purpose. */
export type SignedFor = "oauth-state" | "owner" | "ticket" | "form";

export type TextSigner = {
  /** `value` and when it ends, signed. */
  sign(purpose: SignedFor, value: string, endsAt: number): string;
  /** The value, when it was signed for this purpose and has not ended. */
  read(purpose: SignedFor, signed: string, now: number): string | null;
};

const SIGNED = /^([\w-]{1,600})\.(\d{1,15})\.([\w-]{43})$/;

/** Small texts that a browser carries for us. Signed with the newest key, read with every one. */
export function createTextSigner(keys: readonly [string, ...string[]]): TextSigner {
  const [newest] = keys;
  return {
    sign(purpose, value, endsAt) {
      const text = Buffer.from(value).toString("base64url");
      return `${text}.${endsAt}.${mac(newest, purpose, text, String(endsAt))}`;
    },
    read(purpose, signed, now) {
      const [, text = "", endsAt = "", found = ""] = SIGNED.exec(signed) ?? [];
      const isOurs = keys.some((key) => sameText(mac(key, purpose, text, endsAt), found));
      return isOurs && Number(endsAt) > now ? Buffer.from(text, "base64url").toString("utf8") : null;
    },
  };
}

function mac(key: string, purpose: SignedFor, text: string, endsAt: string): string {
  return createHmac("sha256", key).update(`tillkit shopify ${purpose} ${text} ${endsAt}`).digest("base64url");
}
