import type { OrderRef } from "@tillkit/core";
import { allRecords } from "@tillkit/core/hosts";
import type { Records } from "@tillkit/core/ledger";

/** An event that the settings page shows to the owner of a shop, because Shopify's admin has no place for it. */
export type OwnerNotice = {
  readonly kind: "hold" | "note" | "refund" | "request";
  readonly orderId: string;
  readonly text: string;
  /** With `request`: the numbers of the orders that the customer's request names. */
  readonly orders?: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
};

export type OwnerNotices = {
  /** Adds a notice once for each key. false: it was added before. */
  add(ref: OrderRef, key: string, notice: Pick<OwnerNotice, "kind" | "text" | "orders">): Promise<boolean>;
  /** The newest notices first. */
  list(shop: string, limit: number): Promise<readonly OwnerNotice[]>;
  /** Removes the notices of all shops that are older than `before`, in milliseconds since 1970. */
  prune(before: number): Promise<void>;
};

const KIND = "shopify-notice";

export function createOwnerNotices(records: Records, now: () => number): OwnerNotices {
  return {
    async add({ storeId, orderId }, key, { kind, text, orders }) {
      const notice: OwnerNotice = { kind, orderId, text, at: now(), ...(orders ? { orders } : {}) };
      return (await records.put(storeId, KIND, JSON.stringify([orderId, kind, key]), notice, "new")) === "done";
    },
    async list(shop, limit) {
      const notices: OwnerNotice[] = [];
      for await (const { value } of allRecords(records, { kind: KIND, storeId: shop })) {
        notices.push(value as OwnerNotice);
      }
      return notices.sort((one, other) => other.at - one.at).slice(0, limit);
    },
    async prune(before) {
      for await (const { storeId, key, value, version } of allRecords(records, { kind: KIND })) {
        if ((value as OwnerNotice).at < before) await records.remove(storeId, KIND, key, version);
      }
    },
  };
}
