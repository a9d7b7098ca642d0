import { sql } from "kysely";
import { isoDate } from "../domain/clock.ts";
import { limits } from "../domain/limits.ts";
import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import {
  assertStatus,
  emitSubscriptionEvent,
  saveUpdate,
  type UpdateSource,
  updateAndEmit,
} from "./subscription-updates.ts";

/** Subscriptions in these statuses have not ended. */
export const unendedStatuses: readonly SubscriptionRow["status"][] = [
  "pending",
  "active",
  "past_due",
  "trial",
  "paused",
];

/**
 * Cancels at once with SUBSCRIPTION_CANCELLED, or at the end of the paid period with SUBSCRIPTION_UPDATED.
 * @throws ApiError `conflict`
 */
export async function cancelSubscription(
  context: WriteContext,
  subscription: SubscriptionRow,
  { atPeriodEnd = false, source = "merchant_api" }: { atPeriodEnd?: boolean; source?: UpdateSource } = {},
): Promise<SubscriptionRow> {
  assertStatus(subscription, unendedStatuses, "cancelled");
  if (!atPeriodEnd) return endSubscription(context, subscription, "cancelled");
  const updated = await updateAndEmit(context, subscription, { cancel_at_period_end: 1 }, source);
  scheduleEnd(context, updated);
  return updated;
}

/** Ends the subscription as its end date does: status `expired`, event SUBSCRIPTION_CANCELLED. @throws ApiError `conflict` */
export function expireSubscription(context: WriteContext, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  assertStatus(subscription, unendedStatuses, "expired");
  return endSubscription(context, subscription, "expired");
}

/** Ends a subscription whose cancellation was scheduled or whose last day is over. Null when the subscription is to be renewed. */
export async function endAtRenewal(
  context: WriteContext,
  subscription: SubscriptionRow,
): Promise<SubscriptionRow | null> {
  if (subscription.cancel_at_period_end === 1) return endSubscription(context, subscription, "cancelled");
  const { end_date, next_billing_date } = subscription;
  if (end_date === null || (next_billing_date ?? "") < end_date) return null;
  return endSubscription(context, subscription, "expired");
}

/** Schedules the end of a subscription that has an end date or a scheduled cancellation. */
export function scheduleEnd(context: WriteContext, subscription: SubscriptionRow): void {
  context.scheduleAt(scheduledEnd(subscription).at);
}

/**
 * Ends the subscriptions whose last day has come: `cancelled` at the end of the period that was paid, `expired` on their
 * `end_date`. Returns the time of the next end in milliseconds, Infinity when none is scheduled.
 */
export async function endDueSubscriptions(service: Service): Promise<number> {
  for (;;) {
    const now = service.clock.now();
    const ending = await readEnding(service);
    const due = ending.filter((subscription) => scheduledEnd(subscription).at <= now);
    if (due.length === 0) return Math.min(...ending.map((subscription) => scheduledEnd(subscription).at));
    await inDatabaseTransaction(service, async (context) => {
      for (const subscription of due) {
        const { at, status } = scheduledEnd(subscription);
        await endSubscription({ ...context, now: Math.max(at, subscription.updated_at) }, subscription, status);
      }
    });
  }
}

// SQLite's `min` of two values is null if one of them is null. Both dates are `YYYY-MM-DD`, so the smaller text is the earlier day.
const nextEnd = sql`case when cancel_at_period_end = 1
  then coalesce(min(end_date, next_billing_date), end_date, next_billing_date)
  else end_date end`;

function readEnding({ store }: Service): Promise<SubscriptionRow[]> {
  return store.database
    .selectFrom("subscriptions")
    .selectAll()
    .where("status", "in", unendedStatuses)
    .where((eb) => eb.or([eb("end_date", "is not", null), eb("cancel_at_period_end", "=", 1)]))
    .orderBy(nextEnd)
    .limit(limits.dueAtOnce)
    .execute();
}

/** The time and the status with which a subscription ends by itself; Infinity when it renews without end. Days begin at midnight UTC. */
function scheduledEnd({ end_date, next_billing_date, cancel_at_period_end }: SubscriptionRow): {
  at: number;
  status: "cancelled" | "expired";
} {
  const expiresAt = end_date === null ? Number.POSITIVE_INFINITY : Date.parse(end_date);
  const isCancelled = cancel_at_period_end === 1 && next_billing_date !== null;
  const cancelledAt = isCancelled ? Date.parse(next_billing_date) : Number.POSITIVE_INFINITY;
  return expiresAt <= cancelledAt ? { at: expiresAt, status: "expired" } : { at: cancelledAt, status: "cancelled" };
}

async function endSubscription(
  context: WriteContext,
  subscription: SubscriptionRow,
  status: "cancelled" | "expired",
): Promise<SubscriptionRow> {
  const ended = await saveUpdate(context, subscription, {
    status,
    end_date: isoDate(context.now),
    next_billing_date: null,
    cancel_at_period_end: 0,
  });
  await emitSubscriptionEvent(context, "SUBSCRIPTION_CANCELLED", ended);
  return ended;
}
