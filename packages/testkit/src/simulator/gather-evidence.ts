import type { Evidence, LedgerMoney, OrderEvidence } from "../invariants/evidence.ts";
import { keepsMark } from "./simulated-owner.ts";
import type { SimulatedOrder, SimulatedWebhook, SimulationWorld } from "./simulation-world.ts";
import { digestOf, identifiesPayment, PERSONAL_DATA } from "./webhook-sender.ts";

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
    wasClockWrong: world.hazards.time.clockJump !== null,
    wasUnsteady: world.slowWrites || world.hazards.money.accountFromMs !== null,
    wasAsleep: world.lastWakeAt > 0,
    isAxiomBroken: world.hazards.time.broken !== null,
    emptyRuns: world.emptyRuns,
    jobs: (await ledger.listJobs({ limit: 100 })).rows,
    orders: await Promise.all(orders.map((order) => orderEvidence(world, order))),
    sessions: service.sessions.map(({ id, key, completedAt, expiresAt, paidTerms: { amount, ...terms } }) => {
      return { id, paymentId: key, wireAmount: amount, ...terms, completedAt, expiresAt };
    }),
    refunds: service.refunds.map(({ id, transaction, key, amount, status, createdAt: madeAt, completedAt }) => {
      const paymentId = transaction.session?.key ?? "";
      return { id, paymentId, key, wireAmount: amount, status, madeAt, completedAt, transactionId: transaction.id };
    }),
    ...moneyOfService(world),
    ledgerMoney: await Promise.all(payments.map(({ id }) => ledgerMoney(world, id))),
    moneyFacts: world.moneyFacts,
    memory: memoryEvidence(world),
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
      const own = service.sessionOf(paymentId)?.transactions ?? [];
      return {
        paymentId,
        opens,
        reads,
        starts: tallies.starts.get(orderId) ?? 0,
        startsUnderWay: world.startsAtLoss.get(orderId) ?? 0,
        unanswered: tallies.unanswered.get(orderId) ?? 0,
        watched: tallies.watched.has(paymentId),
        signals: countFor(tallies.signals, paymentId),
        retries: countFor(tallies.retries, paymentId),
        transactionReads: own.reduce((sum, { id }) => sum + (service.transactionReads.get(id) ?? 0), 0),
      };
    }),
    output: [...output, ...timeline.map((entry) => JSON.stringify(entry)), ...deadJobs.map(({ reason }) => reason)],
    secrets: [...world.secrets, ...world.referenceKeys, PERSONAL_DATA.email, PERSONAL_DATA.phone],
  };
}

function moneyOfService({ service }: SimulationWorld): Pick<Evidence, "transactions" | "disputes"> {
  return {
    transactions: service.transactions.map(({ id, code, session, amount }) => {
      return { id, code, paymentId: session?.key ?? null, wireAmount: amount };
    }),
    disputes: service.disputes.map(({ id, transaction, state }) => {
      return { id, paymentId: transaction.session?.key ?? null, isLost: state === "lost" || state === "closed" };
    }),
  };
}

async function ledgerMoney({ ledger }: SimulationWorld, paymentId: string): Promise<LedgerMoney> {
  const [transactions, refunds, disputes] = await Promise.all([
    ledger.transactions(paymentId),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
  ]);
  return { paymentId, transactions, refunds, disputes };
}

/** Only events that were accepted by the present ledger and prove their payment count as reported. */
function memoryEvidence(world: SimulationWorld): Evidence["memory"] {
  const { restoredAt, remembered, webhooks, hazards } = world;
  const reported = webhooks.flatMap(({ at, status, isNew, webhook }): Evidence["memory"]["reported"] => {
    const { paymentId, disputeId, refundId } = webhook;
    if (status !== 200 || !isNew || paymentId === null || at < (restoredAt ?? 0)) return [];
    // The cheap comparisons come first, because most events are about something else.
    if ((disputeId ?? refundId) === undefined || !identifiesPayment(world, webhook)) return [];
    if (disputeId !== undefined) return [{ kind: "dispute", id: disputeId, paymentId }];
    return refundId === undefined ? [] : [{ kind: "refund", id: refundId, paymentId }];
  });
  const { naming, reason } = hazards.money;
  const namesPayments = naming.session || naming.reference;
  const known = { keepsMarks: keepsMark(reason), namesPayments, hiddenUntil: world.hidesRefundsUntil };
  return { restoredAt, remembered: [...remembered], reported, ...known };
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
    isPaidOutside: store.probe.isPaidOutside?.(ref.orderId),
    isPaidManually: store.probe.isPaidManually?.(ref.orderId),
    statuses: store.probe.statuses?.(ref.orderId),
    holds: await store.probe.holds(ref.orderId),
    notes: await store.probe.notes(ref.orderId),
    refunds: store.probe.refunds?.(ref.orderId),
  };
}

async function webhookEvidence(
  world: SimulationWorld,
  { webhook, isNew: _, ...delivery }: SimulationWorld["webhooks"][number],
): Promise<Evidence["webhooks"][number]> {
  const { ledger, service, restoredAt } = world;
  const { endpointId, bytes } = webhook.incoming;
  // What was acknowledged before a restore was in the ledger that is gone.
  const isForgotten = restoredAt !== null && delivery.at <= restoredAt;
  const isStored = async () => (await ledger.delivery(endpointId, digestOf(bytes))) !== null;
  const stored = delivery.status === 200 && (isForgotten || (await isStored()));
  // An event without identifiers makes the engine verify only payments that it would verify soon anyway, so it names no payment here.
  const session = delivery.paymentId === null ? null : service.sessionOf(delivery.paymentId);
  const { naming } = world.hazards.money;
  const text = new TextDecoder().decode(bytes);
  const namesTransaction =
    (naming.session || naming.reference) && session?.transactions.some(({ id, code }) => [id, code].some(isIn));
  const namesSession = session !== null && [session.id, session.requestedTerms.reference].some(isIn);
  const namesPayment = !isForgotten && (namesSession || namesTransaction === true);
  const reportsSuccess = webhook.event === "PAYMENT_SUCCEEDED";
  const completedAt = session?.completedAt ?? null;
  return {
    ...delivery,
    reportsSuccess,
    wasStoredBefore: completedAt !== null && wasStoredBefore(world, webhook, completedAt),
    stored,
    paymentId: namesPayment && webhook.event !== "unrelated" ? delivery.paymentId : null,
  };

  function isIn(name: string): boolean {
    return text.includes(name);
  }
}

// Deliveries that the present ledger stored before this time.
function wasStoredBefore({ webhooks, restoredAt }: SimulationWorld, webhook: SimulatedWebhook, time: number): boolean {
  return webhooks.some(
    ({ webhook: other, status, at }) =>
      other.incoming.bytes === webhook.incoming.bytes && status === 200 && at < time && at > (restoredAt ?? 0),
  );
}

// Work that names no payment counts for every payment.
function countFor(tally: ReadonlyMap<string, number>, paymentId: string): number {
  return (tally.get(paymentId) ?? 0) + (tally.get("") ?? 0);
}
