import type { Dispute, Refund } from "@tillkit/core";
import type { Change } from "@tillkit/core/ledger";
import type { SimulationWorld } from "./simulation-world.ts";

/** What the ledger knew of a payment's refunds and disputes right before a commit. */
type MoneyBefore = { readonly refunds: readonly Refund[]; readonly disputes: readonly Dispute[] };

/** Null: the change requests no refund. */
export async function readMoneyBefore(
  { ledger }: SimulationWorld,
  { refunds = [] }: Change,
): Promise<MoneyBefore | null> {
  const paymentId = refunds.find(({ state }) => state === "requested")?.paymentId;
  if (paymentId === undefined) return null;
  const [known, disputes] = await Promise.all([ledger.refunds(paymentId), ledger.disputes(paymentId)]);
  return { refunds: known, disputes };
}

/** Records the facts about money that the invariants need: which transaction a payment names, and what each refund was based on. */
export function recordMoney(world: SimulationWorld, change: Change, before: MoneyBefore | null): void {
  const { clock, moneyFacts } = world;
  const at = clock.now();
  const { id: paymentId, transactionId = null } = change.payment?.next ?? {};
  if (paymentId !== undefined && transactionId !== null) {
    const isKnown = moneyFacts.namedTransactions.some(
      (named) => named.paymentId === paymentId && named.transactionId === transactionId,
    );
    if (!isKnown) moneyFacts.namedTransactions.push({ paymentId, transactionId, at });
  }
  for (const { id, paymentId: disputed, status, outcome } of change.disputes ?? []) {
    const isLost = status !== "pending" && outcome !== "won";
    moneyFacts.disputeReports.push({ paymentId: disputed, disputeId: id, at, isLost });
  }
  if (before === null) return;
  const known = new Set(before.refunds.map(({ key }) => key));
  for (const { key, paymentId: refunded, state, amount, transactionId: of } of change.refunds ?? []) {
    if (state !== "requested" || known.has(key)) continue;
    moneyFacts.refundCommits.push({ at, key, paymentId: refunded, transactionId: of, amount, ...before });
  }
}
