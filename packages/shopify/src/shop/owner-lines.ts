import type { OrderRef, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

/** What the owner of a shop is shown on our page in it, because Shopify has no place for it. */
export type OwnerLine = {
  readonly kind: "hold" | "note" | "refund" | "request";
  readonly orderId: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

export type OwnerLines = {
  /** The same key is one line. */
  add(ref: OrderRef, key: string, line: Omit<OwnerLine, "orderId" | "at">): Promise<void>;
  /** Newest first. */
  list(shop: string, limit: number): Promise<readonly OwnerLine[]>;
};

const KIND = "shopify-line";

export function createOwnerLines(records: Records, now: () => number): OwnerLines {
  return {
    async add({ storeId, orderId }, key, { kind, text }) {
      const line: OwnerLine = { kind, orderId, text, at: now() };
      await records.put(storeId, KIND, JSON.stringify([orderId, kind, key]), line, "new");
    },
    async list(shop, limit) {
      const rows = await records.list({ kind: KIND, storeId: shop, limit: shopifyLimits.ownerLinesRead });
      const lines = rows.map(({ value }) => value as OwnerLine).sort((one, other) => other.at - one.at);
      return lines.slice(0, limit);
    },
  };
}
