import { type Ledger, retryDeadJob } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import type { Desk } from "../app/desk.ts";

/** Work that waits for the owner of a shop. `why` is a code; `about` says what it is about, without personal data. */
export type ParkedWork = { readonly key: string; readonly why: string; readonly about: string };

/** Only what Shopify asked for about money ever waits for an owner: what a webhook leads to is tried until it is done. */
export async function parkedWork({ errands }: Desk, shop: string): Promise<readonly ParkedWork[]> {
  const parked = await errands.money.listDead(shop);
  return parked.map(({ key, reason, state: { amount, currency, id } }) => {
    return { key, why: reason ?? "", about: [amount, currency, id].filter((part) => part !== null).join(" ") };
  });
}

/** The owner let us in again: whatever was given up in this shop has another go. */
export async function resumeShop({ errands, ledger, engine }: Desk, shop: string): Promise<void> {
  for (const { key } of await errands.money.listDead(shop)) await errands.money.retryDead(shop, key);
  for (const jobId of await deadJobs(ledger, shop)) await retryDeadJob(engine, jobId);
}

// All of them before the first is replayed: what is no longer dead is no longer on a page.
async function deadJobs(ledger: Ledger, shop: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const jobs of allPages((pages) => ledger.listJobs({ dead: true, storeId: shop, ...pages }))) {
    ids.push(...jobs.map(({ id }) => id));
  }
  return ids;
}
