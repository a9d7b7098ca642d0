import { equationOf, sumOfEquations } from "../domain/equation.ts";
import { limits } from "../domain/limits.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentGroup, PaymentStatistics, StatisticsQuery } from "../ports/payment-statistics.ts";
import type { MemoryDelivery } from "./deliveries.ts";
import type { MemoryTransactionDetails } from "./transaction-details.ts";

type Rows = {
  readonly payments: Iterable<Payment>;
  readonly deliveries: readonly MemoryDelivery[];
  readonly details: MemoryTransactionDetails;
  readonly movementsOf: (paymentId: string) => Movements;
};

export function statisticsOf({ payments, deliveries, ...rows }: Rows, query: StatisticsQuery): PaymentStatistics {
  const { bars, until, storeId, environment } = query;
  const isInPeriod = (at: number) => at >= (bars[0] ?? until) && at < until;
  const ofEnvironment = [...payments].filter(
    (payment) => environment === undefined || payment.environment === environment,
  );
  const ids = new Set<string | undefined>(ofEnvironment.map(({ id }) => id));
  const matching = ofEnvironment.filter(
    ({ createdAt, ref }) => isInPeriod(createdAt) && (storeId === undefined || ref.storeId === storeId),
  );
  const newestRecorded = matching
    .filter(({ state }) => state === "recorded")
    .sort((left, right) => right.createdAt - left.createdAt);
  const newestProcessed = deliveries
    .filter(({ receivedAt, outcome }) => isInPeriod(receivedAt) && outcome === "processed")
    .filter(({ paymentId }) => environment === undefined || ids.has(paymentId ?? undefined))
    .sort((left, right) => right.receivedAt - left.receivedAt);
  return {
    groups: groupsOf(matching, rows, query),
    orderDelaysMs: newestRecorded.slice(0, limits.measuredPayments).flatMap(({ id }) => {
      const { succeededAt, recordedAt } = rows.details.of(id);
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
  { details, movementsOf }: Pick<Rows, "details" | "movementsOf">,
  { bars }: StatisticsQuery,
): readonly PaymentGroup[] {
  const groups = new Map<string, PaymentGroup>();
  for (const payment of payments) {
    const { id, createdAt, environment, state } = payment;
    const bar = bars.findLastIndex((begin) => createdAt >= begin);
    const { method } = details.of(id);
    const equation = equationOf(payment, movementsOf(id));
    const { currency } = equation.received;
    const key = JSON.stringify([bar, environment, currency, state, method]);
    const known = groups.get(key);
    groups.set(key, {
      ...{ bar, environment, currency, state, method },
      count: (known?.count ?? 0) + 1,
      equation: sumOfEquations(currency, known ? [known.equation, equation] : [equation]),
    });
  }
  return [...groups.values()];
}
