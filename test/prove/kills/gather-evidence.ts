import type { PaymentState, TimelineEntry } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type Evidence, emptyEvidence, type RefundEvidence, type SessionEvidence } from "@tillkit/testkit/simulator";
import type { KillFixture } from "./fixture.ts";
import { ENDPOINT_ID, ENVIRONMENT } from "./messages.ts";
import type { ShopActions, TrackedOrder } from "./shop-actions.ts";

/** Collects the evidence from the shops, the service and the ledger. */
export async function gatherEvidence(
  fixture: KillFixture,
  { orders }: ShopActions,
  calmSince: number,
  output: string,
): Promise<Evidence> {
  const ledger = await openLedger(fixture.ledgerUrl);
  try {
    const payments = (await Promise.all(orders.map(({ ref }) => ledger.paymentsOfOrder(ref)))).flat();
    const timelines = await Promise.all(payments.map(({ id }) => ledger.timeline({ paymentId: id })));
    const rows = await sessionRows(fixture);
    const sessions = rows.map(sessionEvidence);
    const webhooks = fixture.loadBalancer.acknowledged.map(async ({ digest, sessionId, at }) => ({
      at,
      status: 200,
      genuine: true,
      stored: (await ledger.delivery(ENDPOINT_ID, digest)) !== null,
      paymentId: sessions.find(({ id }) => id === sessionId)?.paymentId ?? null,
    }));
    return {
      ...emptyEvidence,
      faultsEndedAt: calmSince,
      gatheredAt: fixture.clock.now(),
      orders: await Promise.all(orders.map((order) => orderEvidence(fixture, order))),
      sessions,
      refunds: await refundsOf(fixture, rows),
      payments,
      timeline: timelines.flat(),
      stateChanges: timelines.flatMap(stateChangesOf),
      webhooks: await Promise.all(webhooks),
      output: output.split("\n"),
      secrets: [fixture.sandbox.keys.test.secret, fixture.webhookSecret],
    };
  } finally {
    await ledger.close();
  }
}

async function orderEvidence(fixture: KillFixture, order: TrackedOrder): Promise<Evidence["orders"][number]> {
  const { probe, adapter } = fixture.shop.stores[order.kind];
  const { ref, totals, closedAttempts } = order;
  return {
    ref,
    writes: adapter.writes,
    effects: probe.effects(ref.orderId),
    totals,
    closedAt: null,
    closedAttempts,
    holds: await probe.holds(ref.orderId),
    notes: await probe.notes(ref.orderId),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** The service's API cannot list sessions, but the sandbox's control API can. */
async function sessionRows({ sandbox }: KillFixture): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const firstPage = `${sandbox.controlUrl}/checkout-sessions?limit=100`;
  let cursor: string | null = null;
  do {
    const answer: Response = await fetch(cursor === null ? firstPage : `${firstPage}&cursor=${cursor}`);
    const page = (await answer.json()) as { data: Row[]; next_cursor: string | null };
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

function sessionEvidence(row: Row): SessionEvidence {
  const reference = String((row.metadata as Row).tillkit_reference);
  return {
    id: String(row.id),
    paymentId: reference.split(".")[0] ?? "",
    wireAmount: Number(row.amount),
    currency: String(row.currency_code),
    reference,
    account: null,
    environment: ENVIRONMENT,
    completedAt: row.status === "completed" ? Date.parse(String(row.updated_at)) : null,
    expiresAt: Date.parse(String(row.expires_at)),
  };
}

const FINAL_STATUSES = ["completed", "failed"] as const;

async function refundsOf({ service }: KillFixture, sessions: readonly Row[]): Promise<RefundEvidence[]> {
  const refunds: RefundEvidence[] = [];
  for await (const { id, transactionId, amount = 0, status, updatedAt } of service.refunds.list({ limit: 100 })) {
    const session = sessions.find((row) => row.transaction_id === transactionId);
    if (!session || id === undefined) continue;
    const { paymentId } = sessionEvidence(session);
    const knownStatus = FINAL_STATUSES.find((final) => final === status) ?? "pending";
    const completedAt = knownStatus === "completed" ? (updatedAt ?? null) : null;
    refunds.push({ id, paymentId, key: null, wireAmount: amount, status: knownStatus, completedAt });
  }
  return refunds;
}

/** The state that a payment reached with each kind of timeline entry. */
const STATE_BY_ENTRY: Readonly<Record<string, PaymentState>> = {
  opened: "open",
  replaced: "superseded",
  expired: "expired",
  closed: "closed",
  paid: "verified",
  accepted: "verified",
  accepted_by_hand: "verified",
  held: "review",
  duplicate: "duplicate",
  recorded: "recorded",
  refunded: "refunded",
};

function stateChangesOf(timeline: readonly TimelineEntry[]): Evidence["stateChanges"] {
  const entries = timeline.flatMap(({ paymentId, kind, at }) => {
    const to = STATE_BY_ENTRY[kind];
    return to && paymentId !== null ? [{ paymentId, to, at }] : [];
  });
  return entries.map(({ paymentId, to, at }, index) => ({
    paymentId,
    from: entries[index - 1]?.to ?? "intent",
    to,
    at,
  }));
}
