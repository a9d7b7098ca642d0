import { DELIVERY_OUTCOMES } from "../domain/delivery.ts";
import { isOpenDispute } from "../domain/dispute.ts";
import { PAYMENT_STATES } from "../domain/payment-states.ts";
import type { LedgerView, StoredDelivery } from "../ports/ledger-view.ts";
import type { MemoryDeliveries, MemoryDelivery } from "./deliveries.ts";
import type { MemoryDisputes } from "./disputes.ts";
import type { MemoryJobs } from "./jobs.ts";
import { pageOf } from "./pages.ts";
import type { MemoryPayments } from "./payments.ts";

type Parts = {
  readonly payments: MemoryPayments;
  readonly jobs: MemoryJobs;
  readonly deliveries: MemoryDeliveries;
  readonly disputes: MemoryDisputes;
};

/** Later than every time: what is open comes before everything that is over. */
const OPEN_FIRST = 10 ** 14;

/** Looks through everything: whoever has that much to look at has a database. */
export function createMemoryView({ payments, jobs, deliveries, disputes }: Parts): LedgerView {
  return {
    async countPayments({ storeId } = {}) {
      const own = [...payments.all()].filter(({ ref }) => storeId === undefined || ref.storeId === storeId);
      return tally(PAYMENT_STATES, own, ({ state }) => state);
    },
    async listPayments(want) {
      const { storeId, orderId, states, from, until } = want;
      const found = numbered(payments.all()).filter(
        ({ entry: { ref, state, createdAt } }) =>
          (storeId === undefined || ref.storeId === storeId) &&
          (orderId === undefined || ref.orderId === orderId) &&
          (states === undefined || states.includes(state)) &&
          (from === undefined || createdAt >= from) &&
          (until === undefined || createdAt < until),
      );
      return pageOf(found, want, {
        timeOf: ({ entry }) => entry.createdAt,
        placeOf: ({ place }) => place,
        rowOf: ({ entry }) => entry,
      });
    },
    async countJobs(now) {
      const kindOf = (readyAt: number | null) => (readyAt === null ? "dead" : readyAt <= now ? "due" : "waiting");
      return tally(["due", "waiting", "dead"], [...jobs.all()], ({ readyAt }) => kindOf(readyAt));
    },
    async listJobs(want) {
      const { dead, tries = 0, storeId, paymentId } = want;
      const found = [...jobs.all()].filter(
        ({ job, readyAt }) =>
          (dead === undefined || dead === (readyAt === null)) &&
          job.attempts >= tries &&
          (storeId === undefined || job.storeId === storeId) &&
          (paymentId === undefined || job.paymentId === paymentId),
      );
      return pageOf(found, want, {
        timeOf: () => 0,
        placeOf: ({ place }) => place,
        rowOf: ({ job, readyAt, error }) => ({ ...job, readyAt, error }),
      });
    },
    async countDeliveries() {
      return tally([...DELIVERY_OUTCOMES, "waiting"], deliveries.all(), ({ outcome }) => outcome ?? "waiting");
    },
    async listDeliveries(want) {
      const { outcome, paymentId } = want;
      const found = numbered(deliveries.all()).filter(
        ({ entry }) =>
          (outcome === undefined || (entry.outcome ?? "waiting") === outcome) &&
          (paymentId === undefined || entry.paymentId === paymentId),
      );
      return pageOf(found, want, {
        timeOf: ({ entry }) => entry.receivedAt,
        placeOf: ({ place }) => place,
        rowOf: ({ entry }) => rowOf(entry),
      });
    },
    async countDisputes() {
      return tally(["open", "over"], disputes.all(), (dispute) => (isOpenDispute(dispute) ? "open" : "over"));
    },
    async listDisputes(want) {
      const { open, dueBefore } = want;
      const found = numbered(disputes.all()).filter(
        ({ entry }) =>
          (open === undefined || isOpenDispute(entry) === open) &&
          (dueBefore === undefined || (entry.evidenceDueBy !== null && entry.evidenceDueBy < dueBefore)),
      );
      return pageOf(found, want, {
        timeOf: ({ entry }) => (isOpenDispute(entry) ? OPEN_FIRST : 0) + entry.openedAt,
        placeOf: ({ place }) => place,
        rowOf: ({ entry }) => entry,
      });
    },
  };
}

function rowOf({ endpointId, digest, receivedAt, bytes, outcome, paymentId }: MemoryDelivery): StoredDelivery {
  return {
    endpointId,
    digest,
    receivedAt,
    byteLength: bytes.byteLength,
    outcome: outcome ?? null,
    paymentId: paymentId ?? null,
  };
}

function numbered<Entry>(entries: Iterable<Entry>): { entry: Entry; place: number }[] {
  return [...entries].map((entry, place) => ({ entry, place }));
}

function tally<Name extends string, Row>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const row of rows) counts[nameOf(row)] += 1;
  return counts;
}
