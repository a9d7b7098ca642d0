import type { SandboxClock } from "../domain/clock.ts";
import type { IdGenerator } from "../domain/id-generator.ts";
import type { Settings } from "../domain/settings.ts";
import type { FaultQueue } from "../faults/fault-queue.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { SandboxDatabase, Store } from "../storage/open-store.ts";
import type { SessionRow, TransactionRow } from "../storage/payment-tables.ts";
import type { Activity } from "./activity.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { RequestLog } from "./request-log.ts";
import type { RowHistory } from "./row-history.ts";
import type { Scheduler } from "./scheduler.ts";

/** The state of the running service, which every route, page and scheduler uses. */
export type Service = {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly ids: IdGenerator;
  readonly faults: FaultQueue;
  readonly rateLimits: RateLimits;
  readonly requestLog: RequestLog;
  readonly rowHistory: RowHistories;
  readonly addresses: Addresses;
  /** Called with each activity of the sandbox after its commit. Must not throw. */
  readonly onActivity: (activity: Activity) => void;
  settings: Settings;
  /** Completes payments, expires sessions, and ends subscriptions and disputes when they are due. */
  readonly paymentScheduler: Scheduler;
  /** Runs due webhook deliveries. */
  readonly deliveryScheduler: Scheduler;
};

/** Earlier versions of rows. With the setting `staleReadsMs` the sandbox returns them, to simulate a service whose reads lag. */
export type RowHistories = {
  readonly sessions: RowHistory<SessionRow>;
  readonly transactions: RowHistory<TransactionRow>;
  readonly refunds: RowHistory<RefundRow>;
};

export type Addresses = { baseUrl: string; checkoutBaseUrl: string; consoleUrl: string; controlUrl: string };

/** The context of one database transaction. All of its writes are committed, or none. */
export type WriteContext = {
  readonly service: Service;
  readonly database: SandboxDatabase;
  readonly now: number;
  /** Schedules the payment scheduler for this time. */
  scheduleAt(at: number): void;
  /** Schedules the delivery scheduler for this time. */
  scheduleDeliveryAt(at: number): void;
  /** Reports the activity after the commit. */
  report(activity: Activity): void;
};

/**
 * Runs `work` in one database transaction. After the commit, reports its activities and schedules the runs that it asked for.
 * `now` is the time of its changes.
 */
export async function inDatabaseTransaction<Result>(
  service: Service,
  work: (context: WriteContext) => Promise<Result>,
  now = service.clock.now(),
): Promise<Result> {
  let due = Number.POSITIVE_INFINITY;
  let deliveryDue = Number.POSITIVE_INFINITY;
  const activities: Activity[] = [];
  const result = await service.store.write((database) =>
    work({
      service,
      database,
      now,
      scheduleAt(at) {
        due = Math.min(due, at);
      },
      scheduleDeliveryAt(at) {
        deliveryDue = Math.min(deliveryDue, at);
      },
      report(activity) {
        activities.push(activity);
      },
    }),
  );
  for (const activity of activities) service.onActivity(activity);
  // Infinity, when `work` scheduled nothing, leaves a scheduler unchanged.
  service.paymentScheduler.scheduleAt(due);
  service.deliveryScheduler.scheduleAt(deliveryDue);
  return result;
}
