import type { Evidence, OrderEvidence } from "../invariants/evidence.ts";
import { transactionOf } from "./service-readings.ts";
import type { SimulatedOrder, SimulationWorld } from "./simulation-world.ts";
import { digestOf, PERSONAL_DATA } from "./webhook-sender.ts";

/** Collects the evidence from the shop, the service, the ledger and the output. */
export async function gatherEvidence(
  world: SimulationWorld,
  known: Pick<Evidence, "faultsEndedAt" | "redeliveryCalls">,
): Promise<Evidence> {
  const { ledger, service, orders, stateChanges, deadJobs, output, tallies, clock } = world;
  const payments = (await Promise.all(orders.map(({ placed }) => ledger.paymentsOfOrder(placed.ref)))).flat();
  const orderOfPayment = new Map(payments.map(({ id, ref }) => [id, ref.orderId]));
  const timeline = (await Promise.all(orders.map(({ placed }) => ledger.timeline({ ref: placed.ref })))).flat();
  return {
    ...known,
    gatheredAt: clock.now(),
    orders: await Promise.all(orders.map((order) => orderEvidence(world, order))),
    sessions: service.sessions.map(({ id, key, completedAt, expiresAt, paidTerms: { amount, ...terms } }) => {
      return { id, paymentId: key, wireAmount: amount, ...terms, completedAt, expiresAt };
    }),
    refunds: service.refunds.map(({ id, session, key, amount, status, completedAt }) => {
      return { id, paymentId: session.key, key, wireAmount: amount, status, completedAt };
    }),
    decisions: world.decisions,
    acceptances: world.acceptances,
    recordedRefunds: world.recordedRefunds,
    payAttempts: world.payAttempts,
    payments,
    timeline,
    stateChanges,
    deadJobs,
    webhooks: await Promise.all(world.webhooks.map((webhook) => webhookEvidence(world, webhook))),
    calls: [...service.calls].map(([paymentId, { opens, reads }]) => {
      const orderId = orderOfPayment.get(paymentId) ?? "";
      return {
        paymentId,
        opens,
        reads,
        starts: tallies.starts.get(orderId) ?? 0,
        unanswered: tallies.unanswered.get(orderId) ?? 0,
        watched: tallies.watched.has(paymentId),
        signals: countFor(tallies.signals, paymentId),
        retries: countFor(tallies.retries, paymentId),
      };
    }),
    output: [
      ...output,
      ...timeline.map(({ kind, detail }) => `${kind} ${detail}`),
      ...deadJobs.map(({ reason }) => reason),
    ],
    secrets: [...world.secrets, ...world.referenceKeys, PERSONAL_DATA.email, PERSONAL_DATA.phone],
  };
}

async function orderEvidence({ store }: SimulationWorld, order: SimulatedOrder): Promise<OrderEvidence> {
  const { ref } = order.placed;
  return {
    ref,
    writes: store.adapter.writes,
    retryScheduleMs: store.adapter.retryScheduleMs,
    effects: store.probe.effects(ref.orderId),
    totals: order.totals,
    closedAt: order.closedAt,
    closedAttempts: order.closedAttempts,
    namedPayment: store.probe.paidBy(ref.orderId),
    isPaidManually: store.probe.isPaidManually?.(ref.orderId),
    statuses: store.probe.statuses?.(ref.orderId),
    holds: await store.probe.holds(ref.orderId),
    notes: await store.probe.notes(ref.orderId),
  };
}

async function webhookEvidence(
  { ledger, service }: SimulationWorld,
  { webhook, ...delivery }: SimulationWorld["webhooks"][number],
): Promise<Evidence["webhooks"][number]> {
  const { endpointId, bytes } = webhook.incoming;
  const stored = delivery.status === 200 && (await ledger.delivery(endpointId, digestOf(bytes))) !== null;
  // An event without identifiers makes the engine verify only payments that it would verify soon anyway, so it names no payment here.
  const session = delivery.paymentId === null ? null : service.sessionOf(delivery.paymentId);
  const text = new TextDecoder().decode(bytes);
  const namesPayment = session !== null && (text.includes(session.id) || text.includes(transactionOf(session)));
  const reportsSuccess = webhook.event === "PAYMENT_SUCCEEDED";
  return {
    ...delivery,
    reportsSuccess,
    stored,
    paymentId: namesPayment && webhook.event !== "unrelated" ? delivery.paymentId : null,
  };
}

// Work that names no payment counts for every payment.
function countFor(tally: ReadonlyMap<string, number>, paymentId: string): number {
  return (tally.get(paymentId) ?? 0) + (tally.get("") ?? 0);
}
