import { MINUTE, type SimulatedWebhook, type SimulationWorld } from "./simulation-world.ts";
import { deliverOnce, withFreshId } from "./webhook-sender.ts";

const MAX_REDELIVERIES = 6;
/** Events that end a payment or refund. */
const FINAL_EVENTS: readonly string[] = ["PAYMENT_SUCCEEDED", "REFUND_COMPLETED", "REFUND_FAILED"];
/** The states of a payment for which the shop and the ledger are finished. */
const PROCESSED_STATES: readonly string[] = ["recorded", "duplicate", "refunding", "refunded"];

/** Delivers accepted events again, unchanged and with a fresh id. Returns the number of calls that this caused. */
export async function redeliverAll(world: SimulationWorld): Promise<number> {
  const { clock, service, webhooks } = world;
  if (await hasRefundInDoubt(world)) return 0;
  const callsBefore = service.totalCalls();
  const accepted = webhooks.filter(({ webhook, status }) => status === 200 && FINAL_EVENTS.includes(webhook.event));
  for (const { webhook } of accepted.slice(-MAX_REDELIVERIES)) {
    if (!(await isProcessed(world, webhook))) continue;
    void deliverOnce(world, webhook);
    void deliverOnce(world, withFreshId(world, webhook));
  }
  await clock.runUntil(clock.now() + 5 * MINUTE);
  return service.totalCalls() - callsBefore;
}

// A refund in doubt is read every ten minutes until the service's answers agree. These calls are not caused by a delivery.
async function hasRefundInDoubt({ ledger, orders }: SimulationWorld): Promise<boolean> {
  const payments = (await Promise.all(orders.map(({ placed }) => ledger.paymentsOfOrder(placed.ref)))).flat();
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  return refunds.some(({ state }) => state === "requested" || state === "unknown");
}

// A success event whose transaction the ledger does not know yet causes one more read, because a refund needs the transaction.
async function isProcessed(
  { ledger }: SimulationWorld,
  { paymentId, event, transaction }: SimulatedWebhook,
): Promise<boolean> {
  const payment = paymentId === null ? null : await ledger.find({ id: paymentId });
  if (payment === null || !PROCESSED_STATES.includes(payment.state)) return false;
  if (event !== "PAYMENT_SUCCEEDED" || transaction === null) return true;
  if (payment.transactionId === transaction.id) return true;
  return (await ledger.transactions(payment.id)).some(({ id }) => id === transaction.id);
}
