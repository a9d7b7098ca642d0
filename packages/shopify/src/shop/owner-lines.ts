import type { OrderRef, Records } from "@tillkit/core";
import { everyRow } from "./every-row.ts";

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
  /** In every shop, what is older than `before`, milliseconds since 1970. */
  forget(before: number): Promise<void>;
};

const KIND = "shopify-line";

export function createOwnerLines(records: Records, now: () => number): OwnerLines {
  return {
    async add({ storeId, orderId }, key, { kind, text }) {
      const line: OwnerLine = { kind, orderId, text, at: now() };
      await records.put(storeId, KIND, JSON.stringify([orderId, kind, key]), line, "new");
    },
    async list(shop, limit) {
      const lines: OwnerLine[] = [];
      for await (const { value } of everyRow(records, { kind: KIND, storeId: shop })) lines.push(value as OwnerLine);
      return lines.sort((one, other) => other.at - one.at).slice(0, limit);
    },
    async forget(before) {
      for await (const { storeId, key, value, version } of everyRow(records, { kind: KIND })) {
        if ((value as OwnerLine).at < before) await records.remove(storeId, KIND, key, version);
      }
    },
  };
}
