import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { purposeKey } from "./purpose-key.ts";

export type LinkPurpose = "pay" | "return" | "cancel" | "status";

/** `forged`: well-formed, but not signed by us for this purpose. `garbage`: not one of our links, or cut off on the way. */
export type LinkReading =
  | { readonly say: "valid"; readonly paymentId: string }
  | { readonly say: "expired" | "forged" | "garbage" };

export type SignedLinks = {
  sign(purpose: LinkPurpose, paymentId: string): string;
  read(purpose: LinkPurpose, token: string): LinkReading;
};

const TOKEN = /^([A-Za-z0-9_-]{1,400})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

/** Token = payment id, expiry, signature. Signed with the newest key, read with every one, so that keys can be changed. */
export function createSignedLinks(keys: readonly [string, ...string[]], clock: Clock): SignedLinks {
  const newest = purposeKey(keys[0], "link");
  const all = keys.map((key) => purposeKey(key, "link"));

  function sign(purpose: LinkPurpose, paymentId: string): string {
    const id = Buffer.from(paymentId).toString("base64url");
    const expiry = String(Math.floor((clock.now() + hostLimits.linkLifeMs) / 1_000));
    return `${id}.${expiry}.${signature(newest, purpose, id, expiry)}`;
  }

  function read(purpose: LinkPurpose, token: string): LinkReading {
    const [, id, expiry, found] = TOKEN.exec(token) ?? [];
    if (id === undefined || expiry === undefined || found === undefined) return { say: "garbage" };
    const signed = all.filter((key) => sameText(signature(key, purpose, id, expiry), found));
    if (signed.length === 0) return { say: "forged" };
    if (Number(expiry) * 1_000 <= clock.now()) return { say: "expired" };
    return { say: "valid", paymentId: Buffer.from(id, "base64url").toString() };
  }

  return { sign, read };
}

function signature(key: string, purpose: LinkPurpose, id: string, expiry: string): string {
  return createHmac("sha256", key).update(`${purpose}.${id}.${expiry}`).digest("base64url");
}

function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
