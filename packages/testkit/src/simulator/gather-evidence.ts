import type { Evidence, OrderEvidence } from "../invariants/evidence.ts";
import { digestOf, PERSON } from "./post-office.ts";
import { transactionOf } from "./simulated-service.ts";
import type { SimulatedOrder, SimulationWorld } from "./simulation-world.ts";

/** Looks at the shop itself, at what the service knows, at the ledger and at what went out. */
export async function gatherEvidence(
  world: SimulationWorld,
  known: { readonly calmSince: number; readonly repeatCalls: number },
): Promise<Evidence> {
  const { ledger, service, orders, moves, parked, output, tallies, clock } = world;
  const payments = (await Promise.all(orders.map(({ placed }) => ledger.siblings(placed.ref)))).flat();
  const orderOfPayment = new Map(payments.map(({ id, ref }) => [id, ref.orderId]));
  const story = (await Promise.all(orders.map(({ placed }) => ledger.timeline({ ref: placed.ref })))).flat();
  return {
    ...known,
    gatheredAt: clock.now(),
    orders: await Promise.all(orders.map((order) => orderOf(world, order))),
    sessions: service.sessions.map(({ id, key, completedAt, expiresAt, terms: { amount, ...terms } }) => {
      return { id, paymentId: key, wireAmount: amount, ...terms, completedAt, expiresAt };
    }),
    refunds: service.refunds.map(({ id, session, key, amount, status, completedAt }) => {
      return { id, paymentId: session.key, key, wireAmount: amount, status, completedAt };
    }),
    decisions: world.decisions,
    toldRefunds: world.toldRefunds,
    payAttempts: world.payAttempts,
    payments,
    timeline: story,
    moves,
    parked,
    webhooks: await Promise.all(world.webhooks.map((webhook) => keptOf(world, webhook))),
    calls: [...service.calls].map(([paymentId, { opens, reads }]) => ({
      paymentId,
      opens,
      reads,
      starts: tallies.starts.get(orderOfPayment.get(paymentId) ?? "") ?? 0,
      unanswered: tallies.unanswered.get(orderOfPayment.get(paymentId) ?? "") ?? 0,
      watched: tallies.watched.has(paymentId),
      signals: counted(tallies.signals, paymentId),
      retries: counted(tallies.retries, paymentId),
    })),
    output: [...output, ...story.map(({ kind, detail }) => `${kind} ${detail}`), ...parked.map(({ reason }) => reason)],
    secrets: [...world.secrets, ...world.referenceKeys, PERSON.email, PERSON.phone],
  };
}

async function orderOf({ store }: SimulationWorld, order: SimulatedOrder): Promise<OrderEvidence> {
  const { ref } = order.placed;
  return {
    ref,
    writes: store.adapter.writes,
    retryScheduleMs: store.adapter.retryScheduleMs,
    effects: store.probe.effects(ref.orderId),
    totals: order.totals,
    closedAt: order.closedAt,
    goneAttempts: order.goneAttempts,
    namedPayment: store.probe.paidBy(ref.orderId),
    isPaidByHand: store.probe.isPaidByHand?.(ref.orderId),
    statuses: store.probe.statuses?.(ref.orderId),
    holds: await store.probe.holds(ref.orderId),
    notes: await store.probe.notes(ref.orderId),
  };
}

async function keptOf(
  { ledger, service }: SimulationWorld,
  { webhook, ...heard }: SimulationWorld["webhooks"][number],
): Promise<Evidence["webhooks"][number]> {
  const { endpointId, bytes } = webhook.incoming;
  const kept = heard.status === 200 && (await ledger.delivery(endpointId, digestOf(bytes))) !== null;
  // An event that names nothing can only lead to payments that are looked at anyhow.
  const session = heard.paymentId === null ? null : service.sessionOf(heard.paymentId);
  const text = new TextDecoder().decode(bytes);
  const names = session !== null && (text.includes(session.id) || text.includes(transactionOf(session)));
  const reportsSuccess = webhook.event === "PAYMENT_SUCCEEDED";
  return { ...heard, reportsSuccess, kept, paymentId: names && webhook.event !== "unrelated" ? heard.paymentId : null };
}

// What names no payment counts for each.
function counted(tally: ReadonlyMap<string, number>, paymentId: string): number {
  return (tally.get(paymentId) ?? 0) + (tally.get("") ?? 0);
}
