import type { Ledger, OrderRef } from "@tillkit/core";
import { type DeadJobAnswer, endDeadJob, isDoneByHand, retryDeadJob } from "@tillkit/core/back-office";
import type { HostJobKind } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import type { AppContext } from "../app-context.ts";
import { taskOf } from "../tasks/add-task.ts";
import type { DeadLetterReason } from "../texts/owner-texts.ts";

const MODIFICATION = { kind: "shopify.modification" } as const;

/** A modification task that waits for the owner. `about` is its amount and Shopify's id, without personal data. */
export type DeadLetter = { readonly key: string; readonly reason: DeadLetterReason; readonly about: string };

/**
 * The dead letters of a shop that its owner can do something about: a refund or capture that the shop asked for. The owner reads of a refund
 * that was refused in a notice; all other dead letters are on the operators' pages.
 */
export async function listDeadModifications({ ledger }: AppContext, shop: string): Promise<readonly DeadLetter[]> {
  const jobs = await deadJobs(ledger, shop, MODIFICATION);
  return jobs.map((job) => {
    const { amount, currency, id } = taskOf<"shopify.modification">(job);
    return {
      key: job.id,
      reason: isDoneByHand(job.error) ? "refund_not_recorded" : "not_delivered",
      about: [amount, currency, id].filter((part) => part !== null).join(" "),
    };
  });
}

/** Retries or ends one dead letter of a shop; `key` comes from a form, so it may be any text. */
export async function answerDeadModification(
  { ledger, clock }: AppContext,
  shop: string,
  key: string,
  answer: "retry" | "recorded",
): Promise<DeadJobAnswer> {
  const { rows } = await ledger.listJobs({ id: key, storeId: shop, ...MODIFICATION, limit: 1 });
  if (rows.length === 0) return "gone";
  return answer === "retry" ? await retryDeadJob({ ledger, clock }, key) : await endDeadJob({ ledger }, key);
}

/** Retries the dead-letter jobs of a shop, after its owner has granted access again. */
export async function retryDeadLetters({ ledger, clock }: AppContext, shop: string): Promise<void> {
  for (const { id } of await deadJobs(ledger, shop)) await retryDeadJob({ ledger, clock }, id);
}

/** Retries the dead-letter jobs of one order, whose owner has recorded the payment that the app could not record. */
export async function retryDeadJobsOf({ ledger, clock }: AppContext, ref: OrderRef): Promise<void> {
  const jobs = await deadJobs(ledger, ref.storeId);
  if (jobs.length === 0) return;
  const payments = new Set((await ledger.paymentsOfOrder(ref)).map(({ id }) => id));
  for (const { id, paymentId } of jobs)
    if (paymentId !== null && payments.has(paymentId)) await retryDeadJob({ ledger, clock }, id);
}

type DeadJob = Awaited<ReturnType<Ledger["listJobs"]>>["rows"][number];

// All jobs are read before the first retry, because a retried job leaves the pages that are still to be read.
async function deadJobs(
  ledger: Ledger,
  shop: string,
  filter: { kind?: HostJobKind } = {},
): Promise<readonly DeadJob[]> {
  const all: DeadJob[] = [];
  for await (const jobs of allPages((page) => ledger.listJobs({ dead: true, storeId: shop, ...filter, ...page })))
    all.push(...jobs);
  return all;
}
