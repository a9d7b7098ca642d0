import { DELIVERY_OUTCOMES } from "../domain/delivery.ts";
import { isOpenDispute } from "../domain/dispute.ts";
import type { Movements, PaidTransaction } from "../domain/movement.ts";
import type { Environment } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import { PAYMENT_STATES } from "../domain/payment-states.ts";
import type { LedgerView, PaymentWithMovements, StoredDelivery } from "../ports/ledger-view.ts";
import type { MemoryDeliveries, MemoryDelivery } from "./deliveries.ts";
import type { MemoryDisputes } from "./disputes.ts";
import type { MemoryJobs } from "./jobs.ts";
import { toPage } from "./pagination.ts";
import { matchesFilter } from "./payment-filter.ts";
import type { MemoryPayments } from "./payments.ts";
import type { MemoryRefunds } from "./refunds.ts";
import { statisticsOf } from "./statistics.ts";
import type { MemoryTransactionDetails } from "./transaction-details.ts";
import type { MemoryTransactions } from "./transactions.ts";

type Parts = {
  readonly payments: MemoryPayments;
  readonly jobs: MemoryJobs;
  readonly deliveries: MemoryDeliveries;
  readonly disputes: MemoryDisputes;
  readonly refunds: MemoryRefunds;
  readonly details: MemoryTransactionDetails;
  readonly transactions: MemoryTransactions;
};

/** Added to the time of an open dispute. It is larger than every time, so open disputes come before all others. */
const OPEN_FIRST = 10 ** 14;

const OUTCOMES = [...DELIVERY_OUTCOMES, "waiting"] as const;

/** Every list reads all entries, because a ledger in memory is small. */
export function createMemoryView(parts: Parts): LedgerView {
  const { payments, jobs, deliveries, refunds, details } = parts;
  return {
    async countPayments({ storeId, environment, atMost } = {}) {
      const matching = [...payments.all()].filter(
        (payment) =>
          (storeId === undefined || payment.ref.storeId === storeId) && isOfEnvironment(payment, environment),
      );
      return countByName(PAYMENT_STATES, matching, ({ state }) => state, atMost);
    },
    async listPayments(query) {
      const found = withPositions(payments.all()).filter(({ entry }) => matchesFilter(entry, query, details));
      return toPage(found, query, {
        timeOf: ({ entry }) => entry.createdAt,
        positionOf: ({ position }) => position,
        rowOf: ({ entry }) => entry,
      });
    },
    transactionDetails: async (paymentId) => (payments.find({ id: paymentId }) === null ? null : details.of(paymentId)),
    ...movementView(parts),
    async listRefunds(query) {
      const { storeId, environment, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = query;
      const found = withPositions(refunds.all()).filter(
        ({ entry: { paymentId, requestedAt } }) =>
          requestedAt >= from &&
          requestedAt < until &&
          (storeId === undefined || payments.find({ id: paymentId })?.ref.storeId === storeId) &&
          isOfEnvironment(payments.find({ id: paymentId }), environment),
      );
      return toPage(found, query, {
        timeOf: ({ entry }) => entry.requestedAt,
        positionOf: ({ position }) => position,
        rowOf: ({ entry }) => entry,
      });
    },
    ...statisticsView(parts),
    async countJobs(now) {
      return countByName(["due", "waiting", "dead"], [...jobs.all()], ({ readyAt }) => jobStatusAt(now, readyAt));
    },
    async listJobs(query) {
      const { id, dead, kind, minAttempts = 0, readyBefore, storeId, paymentId } = query;
      const found = [...jobs.all()].filter(
        ({ job, readyAt }) =>
          (id === undefined || job.id === id) &&
          (dead === undefined || dead === (readyAt === null)) &&
          (kind === undefined || job.kind === kind) &&
          job.attempts >= minAttempts &&
          (readyBefore === undefined || (readyAt !== null && readyAt < readyBefore)) &&
          (storeId === undefined || job.storeId === storeId) &&
          (paymentId === undefined || job.paymentId === paymentId),
      );
      return toPage(found, query, {
        // Jobs are numbered in the order in which they were added, so their numbers alone sort them.
        timeOf: () => 0,
        positionOf: ({ position }) => position,
        rowOf: ({ job, readyAt, error }) => ({ ...job, readyAt, error }),
      });
    },
    async countDeliveries({ atMost } = {}) {
      return countByName(OUTCOMES, deliveries.all(), ({ outcome }) => outcome ?? "waiting", atMost);
    },
    async listDeliveries(query) {
      const { outcome, paymentId } = query;
      const found = withPositions(deliveries.all()).filter(
        ({ entry }) =>
          (outcome === undefined || (entry.outcome ?? "waiting") === outcome) &&
          (paymentId === undefined || entry.paymentId === paymentId),
      );
      return toPage(found, query, {
        timeOf: ({ entry }) => entry.receivedAt,
        positionOf: ({ position }) => position,
        rowOf: ({ entry }) => toStoredDelivery(entry),
      });
    },
    ...disputeView(parts),
  };
}

function disputeView({ payments, disputes }: Parts): Pick<LedgerView, "countDisputes" | "listDisputes"> {
  return {
    async countDisputes({ environment } = {}) {
      const matching = disputes
        .all()
        .filter(({ paymentId }) => isOfEnvironment(payments.find({ id: paymentId }), environment));
      return countByName(["open", "over"], matching, (dispute) => (isOpenDispute(dispute) ? "open" : "over"));
    },
    async listDisputes(query) {
      const { open, dueBefore, environment } = query;
      const found = withPositions(disputes.all()).filter(
        ({ entry }) =>
          (open === undefined || isOpenDispute(entry) === open) &&
          isOfEnvironment(payments.find({ id: entry.paymentId }), environment) &&
          (dueBefore === undefined || (entry.evidenceDueBy !== null && entry.evidenceDueBy < dueBefore)),
      );
      return toPage(found, query, {
        timeOf: ({ entry }) => (isOpenDispute(entry) ? OPEN_FIRST : 0) + entry.openedAt,
        positionOf: ({ position }) => position,
        rowOf: ({ entry }) => entry,
      });
    },
  };
}

function isOfEnvironment(payment: Payment | null, environment: Environment | undefined): boolean {
  return environment === undefined || payment?.environment === environment;
}

function statisticsView(parts: Parts): Pick<LedgerView, "paymentStatistics"> {
  const { payments, deliveries, details } = parts;
  return {
    async paymentStatistics(query) {
      const rows = { payments: payments.all(), deliveries: deliveries.all(), details };
      return statisticsOf({ ...rows, movementsOf: (id) => movementsOf(parts, id) }, query);
    },
  };
}

function movementView(parts: Parts): Pick<LedgerView, "paymentsWithMovements" | "paymentsOfSeveralTransactions"> {
  const { transactions } = parts;
  return {
    paymentsWithMovements: async (paymentIds) => paymentIds.flatMap((id) => paymentWithMovements(parts, id)),
    paymentsOfSeveralTransactions: async ({ limit }) => paymentsOfSeveral(transactions.all()).slice(0, limit),
  };
}

function paymentWithMovements(parts: Parts, id: string): readonly PaymentWithMovements[] {
  const payment = parts.payments.find({ id });
  return payment === null ? [] : [{ payment, movements: movementsOf(parts, id) }];
}

function movementsOf({ transactions, refunds, disputes }: Parts, id: string): Movements {
  return { transactions: transactions.of(id), refunds: refunds.of(id), disputes: disputes.of(id) };
}

function paymentsOfSeveral(transactions: readonly PaidTransaction[]): readonly string[] {
  const ids = transactions.map(({ paymentId }) => paymentId);
  return [...new Set(ids.filter((id, position) => ids.indexOf(id) < position).reverse())];
}

function jobStatusAt(now: number, readyAt: number | null): "due" | "waiting" | "dead" {
  if (readyAt === null) return "dead";
  return readyAt <= now ? "due" : "waiting";
}

function toStoredDelivery({
  endpointId,
  digest,
  receivedAt,
  bytes,
  outcome,
  paymentId,
  event,
  attempts,
}: MemoryDelivery): StoredDelivery {
  return {
    endpointId,
    digest,
    receivedAt,
    byteLength: bytes.byteLength,
    outcome: outcome ?? null,
    paymentId: paymentId ?? null,
    event: event?.name ?? null,
    eventAt: event?.at ?? null,
    attempts: attempts ?? 0,
  };
}

function withPositions<Entry>(entries: Iterable<Entry>): { entry: Entry; position: number }[] {
  return [...entries].map((entry, position) => ({ entry, position }));
}

function countByName<Name extends string, Row>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
  atMost = Number.POSITIVE_INFINITY,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const row of rows) counts[nameOf(row)] = Math.min(counts[nameOf(row)] + 1, atMost);
  return counts;
}
