import type { Ledger, OrderRef } from "@tillkit/core";
import {
  type DeadJobAnswer,
  endDeadJob,
  isDoneByHand,
  REFUND_NOT_RECORDED,
  retryDeadJob,
} from "@tillkit/core/back-office";
import { allPages } from "@tillkit/runtime";
import type { AppContext } from "../app-context.ts";
import { taskOf } from "../tasks/add-task.ts";
import type { DeadJobReason } from "../texts/owner-texts.ts";

/** A job that stopped and waits for the owner. `about`: an amount or an order, and Shopify's id, without personal data. */
export type DeadJob = { readonly key: string; readonly reason: DeadJobReason; readonly about: string };

/**
 * The dead jobs of a shop that its owner can do something about: a refund, capture or void that Shopify asked for, and a refund that the shop
 * has booked. The owner reads of a refund that was refused in a notice; all other dead jobs are on the operators' pages.
 */
export async function listDeadJobs({ ledger }: AppContext, shop: string): Promise<readonly DeadJob[]> {
  const jobs = await readDeadJobs(ledger, shop);
  return jobs.flatMap((job) => forOwner(job) ?? []);
}

/** Retries or ends one dead job of a shop; `key` comes from a form, so it may be any text. */
export async function answerDeadJob(
  { ledger, clock }: AppContext,
  shop: string,
  key: string,
  answer: "retry" | "recorded",
): Promise<DeadJobAnswer> {
  const [job] = (await ledger.listJobs({ id: key, storeId: shop, limit: 1 })).rows;
  if (job === undefined || forOwner(job) === null) return "gone";
  const act = answer === "retry" ? "retry" : "recorded_by_hand";
  await ledger.recordAct({ at: clock.now(), by: shop, act, paymentId: job.paymentId, detail: job.id });
  return answer === "retry" ? await retryDeadJob({ ledger, clock }, key) : await endDeadJob({ ledger }, key);
}

/** Retries the dead jobs of a shop, after its owner has granted access again. */
export async function retryDeadJobs({ ledger, clock }: AppContext, shop: string): Promise<void> {
  const retryable = (await readDeadJobs(ledger, shop)).filter(({ error }) => !isDoneByHand(error));
  if (retryable.length === 0) return;
  const detail = String(retryable.length);
  await ledger.recordAct({ at: clock.now(), by: shop, act: "retry_all", paymentId: null, detail });
  for (const { id } of retryable) await retryDeadJob({ ledger, clock }, id);
}

/** Retries the dead jobs of one order, whose owner has recorded the payment that the app could not record. */
export async function retryDeadJobsOf({ ledger, clock }: AppContext, ref: OrderRef): Promise<void> {
  const jobs = await readDeadJobs(ledger, ref.storeId);
  if (jobs.length === 0) return;
  const payments = new Set((await ledger.paymentsOfOrder(ref)).map(({ id }) => id));
  for (const { id, paymentId } of jobs)
    if (paymentId !== null && payments.has(paymentId)) await retryDeadJob({ ledger, clock }, id);
}

type StoredJob = Awaited<ReturnType<Ledger["listJobs"]>>["rows"][number];

/** What the owner reads of a job; null where the owner can do nothing about it. */
function forOwner(job: StoredJob): DeadJob | null {
  if (job.kind === "shopify.modification") {
    const { amount, currency, id, result } = taskOf<"shopify.modification">(job);
    const about = [amount, currency, id].filter((part) => part !== null).join(" ");
    if (isDoneByHand(job.error)) return { key: job.id, reason: REFUND_NOT_RECORDED, about };
    return { key: job.id, reason: result === null ? "not_finished" : "not_delivered", about };
  }
  if (job.kind !== "shopify.webhook") return null;
  const { topic, orderIds, refundId } = taskOf<"shopify.webhook">(job);
  if (topic !== "refunds/create") return null;
  return { key: job.id, reason: "refund_not_paid", about: [...orderIds, refundId ?? ""].join(" ").trim() };
}

// All jobs are read before the first retry, because a retried job leaves the pages that are still to be read.
async function readDeadJobs(ledger: Ledger, shop: string): Promise<readonly StoredJob[]> {
  const all: StoredJob[] = [];
  for await (const jobs of allPages((page) => ledger.listJobs({ dead: true, storeId: shop, ...page })))
    all.push(...jobs);
  return all;
}
