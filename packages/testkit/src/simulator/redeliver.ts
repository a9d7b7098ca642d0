import { MINUTE } from "./hazards/durations.ts";
import type { SimulatedWebhook, SimulationWorld } from "./simulation-world.ts";
import { deliverOnce, withFreshId } from "./webhook-sender.ts";

const MAX_REDELIVERIES = 6;
/** For how long the calls are counted that redeliveries cause. */
const WATCHED_MS = 5 * MINUTE;
/** Events that end a payment or refund. */
const FINAL_EVENTS: readonly string[] = ["PAYMENT_SUCCEEDED", "REFUND_COMPLETED", "REFUND_FAILED"];
/** The states of a payment for which the shop and the ledger are finished. */
const PROCESSED_STATES: readonly string[] = ["recorded", "duplicate", "refunding", "refunded"];

/** Delivers accepted events again, unchanged and with a fresh id. Returns the number of calls that this caused. */
export async function redeliverAll(world: SimulationWorld): Promise<number> {
  const { clock, service, webhooks } = world;
  // A restored ledger may still read what it has forgotten.
  if (world.restoredAt !== null || (await hasCallsToCome(world))) return 0;
  const callsBefore = service.totalCalls();
  const accepted = webhooks.filter(({ webhook, status }) => status === 200 && FINAL_EVENTS.includes(webhook.event));
  for (const { webhook } of accepted.slice(-MAX_REDELIVERIES)) {
    if (!(await isProcessed(world, webhook))) continue;
    void deliverOnce(world, webhook);
    void deliverOnce(world, withFreshId(world, webhook));
  }
  await clock.runUntil(clock.now() + WATCHED_MS);
  return service.totalCalls() - callsBefore;
}

// A refund in doubt is read every ten minutes until the service's answers agree, and one that its event named until a list shows it. A
// payment has its last scheduled read days later. These calls are not caused by a delivery.
async function hasCallsToCome({ clock, ledger, orders }: SimulationWorld): Promise<boolean> {
  const { rows: jobs } = await ledger.listJobs({ limit: 100 });
  const now = clock.now();
  if (jobs.some(({ readyAt }) => readyAt !== null && readyAt > now && readyAt <= now + WATCHED_MS)) return true;
  if (jobs.some(({ kind, error }) => kind === "refund" && error?.code === "stale")) return true;
  const payments = (await Promise.all(orders.map(({ placed }) => ledger.paymentsOfOrder(placed.ref)))).flat();
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  return refunds.some(({ state }) => state === "requested" || state === "unknown");
}

// A success event whose transaction the ledger does not know yet causes one more read, because a refund needs the transaction. A refund
// that the ledger does not know is read until it is known.
async function isProcessed(
  { ledger }: SimulationWorld,
  { paymentId, event, transaction, refundId }: SimulatedWebhook,
): Promise<boolean> {
  const payment = paymentId === null ? null : await ledger.find({ id: paymentId });
  if (payment === null || !PROCESSED_STATES.includes(payment.state)) return false;
  if (refundId !== undefined) return (await ledger.refunds(payment.id)).some((refund) => refund.refundId === refundId);
  if (event !== "PAYMENT_SUCCEEDED" || transaction === null) return true;
  const known = await ledger.transactions(payment.id);
  return known.some(({ id, isRead, evidence }) => id === transaction.id && isRead && evidence !== "resemblance");
}
