import type { Records } from "@tillkit/core/ledger";

const KIND = "shopify-refund-search";
const KEY = "refunds";

/** How far the search for lost refunds of each shop has come. Times in milliseconds since 1970. */
export type RefundSearches = {
  /** The time from which the next search reads changed orders; null for a shop without a search. */
  since(shop: string): Promise<number | null>;
  save(shop: string, since: number): Promise<void>;
};

export function createRefundSearches(records: Records): RefundSearches {
  return {
    async since(shop) {
      return ((await records.get(shop, KIND, KEY))?.value as { readonly since: number } | undefined)?.since ?? null;
    },
    async save(shop, since) {
      const row = await records.get(shop, KIND, KEY);
      // Where another process saved its own search meanwhile, either time is right: both searched everything before it.
      await records.put(shop, KIND, KEY, { since }, row?.version ?? "new");
    },
  };
}
