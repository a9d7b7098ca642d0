import { createHmac, timingSafeEqual } from "node:crypto";
import { type Clock, purposeKey } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";

/** Tokens that bring a shopper back to their order in any browser: payment id, end of life, signature. */
export type ReturnLinks = {
  sign(paymentId: string): string;
  /** The payment id; null when it was not signed by us, or too long ago. */
  read(token: string): string | null;
};

const TOKEN = /^([A-Za-z0-9_-]{1,400})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

/** Signed with the newest key, read with every one, so that keys can be changed. */
export function createReturnLinks(keys: readonly string[], clock: Clock): ReturnLinks {
  const all = keys.map((key) => purposeKey(key, "return"));
  const [newest = ""] = all;

  return {
    sign(paymentId) {
      const id = Buffer.from(paymentId).toString("base64url");
      const end = String(Math.floor((clock.now() + pluginLimits.returnLinkMs) / 1_000));
      return `${id}.${end}.${signature(newest, id, end)}`;
    },
    read(token) {
      const [, id, end, found] = TOKEN.exec(token) ?? [];
      if (id === undefined || end === undefined || found === undefined) return null;
      const isOurs = all.some((key) => sameText(signature(key, id, end), found));
      return isOurs && Number(end) * 1_000 > clock.now() ? Buffer.from(id, "base64url").toString() : null;
    },
  };
}

/** Puts the token where the address says `{token}`, else behind it as `tillkit=…`. */
export function withToken(address: string, token: string): string {
  if (address.includes("{token}")) return address.replaceAll("{token}", token);
  const url = new URL(address);
  url.searchParams.set("tillkit", token);
  return url.href;
}

function signature(key: string, id: string, end: string): string {
  return createHmac("sha256", key).update(`return.${id}.${end}`).digest("base64url");
}

function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
