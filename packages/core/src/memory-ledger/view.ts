import { DELIVERY_OUTCOMES } from "../domain/delivery.ts";
import { isOpenDispute } from "../domain/dispute.ts";
import { PAYMENT_STATES } from "../domain/payment-states.ts";
import type { LedgerView, StoredDelivery } from "../ports/ledger-view.ts";
import type { MemoryDeliveries, MemoryDelivery } from "./deliveries.ts";
import type { MemoryDisputes } from "./disputes.ts";
import type { MemoryJobs } from "./jobs.ts";
import { toPage } from "./pagination.ts";
import type { MemoryPayments } from "./payments.ts";

type Parts = {
  readonly payments: MemoryPayments;
  readonly jobs: MemoryJobs;
  readonly deliveries: MemoryDeliveries;
  readonly disputes: MemoryDisputes;
};

/** Added to the time of an open dispute. It is larger than every time, so open disputes come before all others. */
const OPEN_FIRST = 10 ** 14;

/** Every list reads all entries, because a ledger in memory is small. */
export function createMemoryView({ payments, jobs, deliveries, disputes }: Parts): LedgerView {
  return {
    async countPayments({ storeId } = {}) {
      const matching = [...payments.all()].filter(({ ref }) => storeId === undefined || ref.storeId === storeId);
      return countByName(PAYMENT_STATES, matching, ({ state }) => state);
    },
    async listPayments(query) {
      const { storeId, orderId, states, from, until } = query;
      const found = withPositions(payments.all()).filter(
        ({ entry: { ref, state, createdAt } }) =>
          (storeId === undefined || ref.storeId === storeId) &&
          (orderId === undefined || ref.orderId === orderId) &&
          (states === undefined || states.includes(state)) &&
          (from === undefined || createdAt >= from) &&
          (until === undefined || createdAt < until),
      );
      return toPage(found, query, {
        timeOf: ({ entry }) => entry.createdAt,
        positionOf: ({ position }) => position,
        rowOf: ({ entry }) => entry,
      });
    },
    async countJobs(now) {
      const kindOf = (readyAt: number | null) => (readyAt === null ? "dead" : readyAt <= now ? "due" : "waiting");
      return countByName(["due", "waiting", "dead"], [...jobs.all()], ({ readyAt }) => kindOf(readyAt));
    },
    async listJobs(query) {
      const { dead, minAttempts = 0, storeId, paymentId } = query;
      const found = [...jobs.all()].filter(
        ({ job, readyAt }) =>
          (dead === undefined || dead === (readyAt === null)) &&
          job.attempts >= minAttempts &&
          (storeId === undefined || job.storeId === storeId) &&
          (paymentId === undefined || job.paymentId === paymentId),
      );
      return toPage(found, query, {
        timeOf: () => 0,
        positionOf: ({ position }) => position,
        rowOf: ({ job, readyAt, error }) => ({ ...job, readyAt, error }),
      });
    },
    async countDeliveries() {
      return countByName([...DELIVERY_OUTCOMES, "waiting"], deliveries.all(), ({ outcome }) => outcome ?? "waiting");
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
    async countDisputes() {
      return countByName(["open", "over"], disputes.all(), (dispute) => (isOpenDispute(dispute) ? "open" : "over"));
    },
    async listDisputes(query) {
      const { open, dueBefore } = query;
      const found = withPositions(disputes.all()).filter(
        ({ entry }) =>
          (open === undefined || isOpenDispute(entry) === open) &&
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

function toStoredDelivery({
  endpointId,
  digest,
  receivedAt,
  bytes,
  outcome,
  paymentId,
}: MemoryDelivery): StoredDelivery {
  return {
    endpointId,
    digest,
    receivedAt,
    byteLength: bytes.byteLength,
    outcome: outcome ?? null,
    paymentId: paymentId ?? null,
  };
}

function withPositions<Entry>(entries: Iterable<Entry>): { entry: Entry; position: number }[] {
  return [...entries].map((entry, position) => ({ entry, position }));
}

function countByName<Name extends string, Row>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const row of rows) counts[nameOf(row)] += 1;
  return counts;
}
