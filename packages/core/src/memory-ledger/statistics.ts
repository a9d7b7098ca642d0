import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentGroup, PaymentStatistics, StatisticsQuery } from "../ports/payment-statistics.ts";
import type { MemoryDelivery } from "./deliveries.ts";
import type { MemoryTransactionDetails } from "./transaction-details.ts";

type Rows = {
  readonly payments: Iterable<Payment>;
  readonly deliveries: readonly MemoryDelivery[];
  readonly details: MemoryTransactionDetails;
};

export function statisticsOf({ payments, deliveries, details }: Rows, query: StatisticsQuery): PaymentStatistics {
  const { bars, until, storeId } = query;
  const isInPeriod = (at: number) => at >= (bars[0] ?? until) && at < until;
  const matching = [...payments].filter(
    ({ createdAt, ref }) => isInPeriod(createdAt) && (storeId === undefined || ref.storeId === storeId),
  );
  const newestRecorded = matching
    .filter(({ state }) => state === "recorded")
    .sort((left, right) => right.createdAt - left.createdAt);
  const newestProcessed = deliveries
    .filter(({ receivedAt, outcome }) => isInPeriod(receivedAt) && outcome === "processed")
    .sort((left, right) => right.receivedAt - left.receivedAt);
  return {
    groups: groupsOf(matching, details, query),
    orderDelaysMs: newestRecorded.slice(0, limits.measuredPayments).flatMap(({ id }) => {
      const { succeededAt, recordedAt } = details.of(id);
      return succeededAt === null || recordedAt === null ? [] : [Math.max(0, recordedAt - succeededAt)];
    }),
    webhookDelaysMs: newestProcessed.slice(0, limits.measuredPayments).flatMap(({ event, receivedAt }) => {
      const at = event?.at ?? null;
      return at === null ? [] : [Math.max(0, receivedAt - at)];
    }),
  };
}

function groupsOf(
  payments: readonly Payment[],
  details: MemoryTransactionDetails,
  { bars }: StatisticsQuery,
): readonly PaymentGroup[] {
  const groups = new Map<string, PaymentGroup>();
  for (const { id, createdAt, environment, amountDue, state } of payments) {
    const bar = bars.findLastIndex((begin) => createdAt >= begin);
    const { method } = details.of(id);
    const { currency } = amountDue;
    const key = JSON.stringify([bar, environment, currency, state, method]);
    const known = groups.get(key) ?? { bar, environment, currency, state, method, count: 0, amount: 0 };
    groups.set(key, { ...known, count: known.count + 1, amount: known.amount + amountDue.minor });
  }
  return [...groups.values()];
}
