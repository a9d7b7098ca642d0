import { type Ledger, retryDeadJob } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import type { AppContext } from "../app-context.ts";
import type { DeadLetterReason } from "../texts/owner-texts.ts";

/** A modification task that waits for the owner. `about` is its amount and Shopify's id, without personal data. */
export type DeadLetter = { readonly key: string; readonly reason: DeadLetterReason; readonly about: string };

/** The dead letters of a shop. Webhook tasks have none: they are tried until they succeed. */
export async function listDeadLetters({ outbox }: AppContext, shop: string): Promise<readonly DeadLetter[]> {
  const tasks = await outbox.modifications.listDead(shop);
  return tasks.map(({ key, reason, state: { amount, currency, id } }) => ({
    key,
    reason: reason === "refund_not_recorded" ? "refund_not_recorded" : "not_delivered",
    about: [amount, currency, id].filter((part) => part !== null).join(" "),
  }));
}

/** Retries the dead letters and dead-letter jobs of a shop, after its owner has granted access again. */
export async function retryDeadLetters({ outbox, ledger, engine }: AppContext, shop: string): Promise<void> {
  for (const { key } of await outbox.modifications.listDead(shop)) await outbox.modifications.retryDead(shop, key);
  for (const jobId of await deadJobIds(ledger, shop)) await retryDeadJob(engine, jobId);
}

// All ids are read before the first retry, because a retried job leaves the pages that are still to be read.
async function deadJobIds(ledger: Ledger, shop: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const jobs of allPages((page) => ledger.listJobs({ dead: true, storeId: shop, ...page }))) {
    ids.push(...jobs.map(({ id }) => id));
  }
  return ids;
}
