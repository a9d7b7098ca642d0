import type { Ledger, PaymentState, TimelineEntry } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type Evidence, emptyEvidence, type RefundEvidence, type SessionEvidence } from "@tillkit/testkit/simulator";
import type { KillFixture } from "./fixture.ts";
import { ENDPOINT_ID, ENVIRONMENT } from "./messages.ts";
import type { ShopActions, TrackedOrder } from "./shop-actions.ts";

/** Collects the evidence from the shops, the service and the ledger. */
export async function gatherEvidence(
  fixture: KillFixture,
  { orders, disputes }: ShopActions,
  calmSince: number,
  output: string,
): Promise<Evidence> {
  const ledger = await openLedger(fixture.ledgerUrl);
  try {
    const payments = (await Promise.all(orders.map(({ ref }) => ledger.paymentsOfOrder(ref)))).flat();
    const timelines = await Promise.all(payments.map(({ id }) => ledger.timeline({ paymentId: id })));
    const rows = await sessionRows(fixture);
    const sessions = rows.filter(isOurs).map(sessionEvidence);
    const transactions = rows.filter((row) => row.transaction_id != null).map(transactionEvidence);
    const restoredSince = fixture.restoredAt() ?? 0;
    const webhooks = fixture.loadBalancer.acknowledged.map(async ({ digest, sessionId, at }) => ({
      at,
      status: 200,
      genuine: true,
      // What was acknowledged before a restore was in the ledger that is gone.
      stored: at < restoredSince || (await ledger.delivery(ENDPOINT_ID, digest)) !== null,
      paymentId: at < restoredSince ? null : (sessions.find(({ id }) => id === sessionId)?.paymentId ?? null),
    }));
    return {
      ...emptyEvidence,
      faultsEndedAt: calmSince,
      gatheredAt: fixture.clock.now(),
      orders: await Promise.all(orders.map((order) => orderEvidence(fixture, order))),
      sessions,
      refunds: await refundsOf(fixture, rows),
      transactions,
      disputes,
      ledgerMoney: await Promise.all(payments.map(({ id }) => moneyOf(ledger, id))),
      memory: memoryOf(fixture, transactions),
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

async function moneyOf(ledger: Ledger, paymentId: string): Promise<Evidence["ledgerMoney"][number]> {
  const [transactions, refunds, disputes] = await Promise.all([
    ledger.transactions(paymentId),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
  ]);
  return { paymentId, transactions, refunds, disputes };
}

/** What accepted events reported of our money since the ledger was last replaced. */
function memoryOf(
  { loadBalancer, restoredAt }: KillFixture,
  transactions: Evidence["transactions"],
): Evidence["memory"] {
  const since = restoredAt() ?? 0;
  const reported = loadBalancer.acknowledged.flatMap(
    ({ at, transactionId, refundId, disputeId }): Evidence["memory"]["reported"] => {
      const paymentId = transactions.find(({ id }) => id === transactionId)?.paymentId ?? null;
      if (paymentId === null || at < since) return [];
      if (disputeId !== null) return [{ kind: "dispute", id: disputeId, paymentId }];
      return refundId === null ? [] : [{ kind: "refund", id: refundId, paymentId }];
    },
  );
  return { restoredAt: restoredAt(), remembered: [], reported, keepsMarks: true, namesPayments: true, hiddenUntil: 0 };
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

/** Sessions of other integrations on the same key have no reference of ours. */
function isOurs({ metadata }: Row): boolean {
  return metadata !== null && "tillkit_reference" in (metadata as Row);
}

function transactionEvidence(row: Row): Evidence["transactions"][number] {
  const id = String(row.transaction_id);
  return {
    id,
    code: "",
    paymentId: isOurs(row) ? sessionEvidence(row).paymentId : null,
    wireAmount: Number(row.amount),
  };
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
    const paymentId = isOurs(session) ? sessionEvidence(session).paymentId : "";
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
