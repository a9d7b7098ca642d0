import { replayJob } from "@tillkit/core";
import type { Desk } from "../app/desk.ts";
import { shopifyLimits } from "../limits.ts";

/** Work that waits for the owner of a shop. `why` is a code; `about` says what it is about, without personal data. */
export type ParkedWork = { readonly key: string; readonly why: string; readonly about: string };

/** Only what Shopify asked for about money ever waits for an owner: what a webhook leads to is tried until it is done. */
export async function parkedWork({ errands }: Desk, shop: string): Promise<readonly ParkedWork[]> {
  const parked = await errands.money.parked(shop);
  return parked.map(({ key, why, state: { amount, currency, id } }) => {
    return { key, why: why ?? "", about: [amount, currency, id].filter((part) => part !== null).join(" ") };
  });
}

/** The owner let us in again: whatever was given up in this shop has another go. */
export async function resumeShop({ errands, ledger, engine }: Desk, shop: string): Promise<void> {
  for (const { key } of await errands.money.parked(shop)) await errands.money.replay(shop, key);
  const { rows } = await ledger.listJobs({ dead: true, storeId: shop, limit: shopifyLimits.rows });
  for (const { id } of rows) await replayJob(engine, id);
}
