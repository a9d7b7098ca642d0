import { createHmac, timingSafeEqual } from "node:crypto";
import { type Clock, type Order, purposeKey } from "@tillkit/core";
import { hostLimits } from "./limits.ts";

export type LinkPurpose = "pay" | "return" | "cancel" | "status";

/** `forged`: well-formed, but not signed by us for this purpose. `garbage`: not one of our links, or cut off on the way. */
export type LinkReading =
  | { readonly say: "valid"; readonly paymentId: string }
  | { readonly say: "expired" | "forged" | "garbage" };

/** One try of an order. */
export type Try = Pick<Order, "ref" | "attempt">;

export type SignedLinks = {
  sign(purpose: LinkPurpose, paymentId: string): string;
  /** For paying only. The same try has the same token for as long as the newest key stays. */
  signOrder(order: Try): string;
  /** Null: not one of these, or not signed by us. */
  readOrder(token: string): Try | null;
  read(purpose: LinkPurpose, token: string): LinkReading;
};

const ORDER_TOKEN = /^([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/;
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

  function signOrder({ ref, attempt }: Try): string {
    const id = Buffer.from(JSON.stringify([ref.storeId, ref.orderId, attempt])).toString("base64url");
    return `${id}.${signature(newest, "order", id, "")}`;
  }

  function readOrder(token: string): Try | null {
    const [, id, found] = ORDER_TOKEN.exec(token) ?? [];
    if (id === undefined || found === undefined) return null;
    if (!all.some((key) => sameText(signature(key, "order", id, ""), found))) return null;
    const [storeId, orderId, attempt] = JSON.parse(Buffer.from(id, "base64url").toString()) as [string, string, string];
    return { ref: { storeId, orderId }, attempt };
  }

  return { sign, signOrder, read, readOrder };
}

function signature(key: string, purpose: LinkPurpose | "order", id: string, expiry: string): string {
  return createHmac("sha256", key).update(`${purpose}.${id}.${expiry}`).digest("base64url");
}

function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
