import { type Evidence, emptyEvidence } from "@tillkit/testkit/simulator";
import type { ModelFixture, ModelOrder } from "./fixture.ts";

/** Collects the evidence from the shop, the service, the ledger and the recorder. */
export async function gatherEvidence(fixture: ModelFixture, faultsEndedAt: number): Promise<Evidence> {
  const { service, ledger, store, recorder, clock, orders } = fixture;
  const refs = orders.map(({ placed }) => placed.ref);
  const payments = (await Promise.all(refs.map((ref) => ledger.paymentsOfOrder(ref)))).flat();
  const timeline = (await Promise.all(refs.map((ref) => ledger.timeline({ ref })))).flat();
  return {
    ...emptyEvidence,
    faultsEndedAt,
    gatheredAt: clock.now(),
    orders: await Promise.all(orders.map((order) => orderEvidence(fixture, order))),
    sessions: service.sessions.map(({ id, key, reference, paid, completedAt, expiresAt }) => {
      return { id, paymentId: key, reference, ...paid, completedAt, expiresAt };
    }),
    refunds: service.money.refunds.map(({ id, key, transaction, wireAmount, at }) => {
      const paymentId = transaction.session?.key ?? "";
      return {
        id,
        key,
        paymentId,
        wireAmount,
        status: "completed",
        madeAt: at,
        completedAt: at,
        transactionId: transaction.id,
      };
    }),
    transactions: service.money.transactions.map(({ id, code, session, wireAmount }) => {
      return { id, code, paymentId: session?.key ?? null, wireAmount };
    }),
    disputes: service.money.disputes.map(({ id, transaction, state }) => {
      return { id, paymentId: transaction.session?.key ?? null, isLost: state === "lost" || state === "closed" };
    }),
    ledgerMoney: await Promise.all(payments.map(({ id }) => moneyOf(ledger, id))),
    moneyFacts: recorder.moneyFacts,
    memory: {
      restoredAt: recorder.restoredAt,
      remembered: [...recorder.remembered],
      reported: recorder.reports,
      keepsMarks: service.traits.reason === "kept",
      namesPayments: true,
      hiddenUntil: 0,
    },
    decisions: recorder.decisions,
    acceptances: recorder.acceptances,
    recordedRefunds: recorder.recordedRefunds,
    payments,
    timeline,
    stateChanges: recorder.stateChanges,
    deadJobs: [...recorder.deadJobs.values()],
    webhooks: recorder.webhooks,
    calls: payments.map(({ id }) => ({ paymentId: id, ...callsOf(fixture, id) })),
    output: [
      ...recorder.output,
      ...timeline.map((entry) => JSON.stringify(entry)),
      ...payments.map(({ finding }) => JSON.stringify(finding)),
      ...(await Promise.all(refs.map(({ orderId }) => store.probe.holds(orderId)))).flat(),
    ],
    secrets: [...service.secrets(), "awa@customers.example", "77 123 45 67"],
  };
}

async function moneyOf(ledger: ModelFixture["ledger"], paymentId: string): Promise<Evidence["ledgerMoney"][number]> {
  const [transactions, refunds, disputes] = await Promise.all([
    ledger.transactions(paymentId),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
  ]);
  return { paymentId, transactions, refunds, disputes };
}

async function orderEvidence({ store }: ModelFixture, order: ModelOrder) {
  const { ref } = order.placed;
  return {
    ref,
    writes: store.adapter.writes,
    retryScheduleMs: store.adapter.retryScheduleMs,
    effects: store.probe.effects(ref.orderId),
    totals: order.totals,
    closedAt: order.closedAt,
    closedAttempts: order.closedAttempts,
    holds: await store.probe.holds(ref.orderId),
    notes: await store.probe.notes(ref.orderId),
  };
}

// Starts and retries are not counted by payment, so every payment gets their totals.
function callsOf({ service, recorder }: ModelFixture, paymentId: string) {
  const { opens, reads } = service.calls.get(paymentId) ?? { opens: 0, reads: 0 };
  const signals = (recorder.signals.get(paymentId) ?? 0) + (recorder.signals.get(null) ?? 0);
  return { opens, reads, watched: true, signals, starts: recorder.starts, unanswered: 0, retries: recorder.retries };
}
