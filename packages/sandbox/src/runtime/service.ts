import type { SandboxClock } from "../domain/clock.ts";
import type { IdGenerator } from "../domain/id-generator.ts";
import type { Settings } from "../domain/settings.ts";
import type { FaultQueue } from "../faults/fault-queue.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { Rows, Store } from "../storage/open-store.ts";
import type { SessionRow, TransactionRow } from "../storage/payment-tables.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { RequestLog } from "./request-log.ts";
import type { RowHistory } from "./row-history.ts";
import type { Scheduler } from "./scheduler.ts";

/** The running service: what every route, page and timer works on. */
export type Service = {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly ids: IdGenerator;
  readonly faults: FaultQueue;
  readonly rateLimits: RateLimits;
  readonly requestLog: RequestLog;
  readonly rowHistory: RowHistories;
  readonly addresses: Addresses;
  settings: Settings;
  /** Sessions that expire and payments that complete by themselves. */
  readonly paymentScheduler: Scheduler;
  /** Deliveries whose attempt is due. */
  readonly deliveryScheduler: Scheduler;
};

/** What the service's reads showed before the last changes. */
export type RowHistories = {
  readonly sessions: RowHistory<SessionRow>;
  readonly transactions: RowHistory<TransactionRow>;
  readonly refunds: RowHistory<RefundRow>;
};

export type Addresses = { baseUrl: string; checkoutBaseUrl: string; consoleUrl: string; controlUrl: string };

/** One change of the stored state: everything in it is kept, or nothing. */
export type WriteContext = {
  readonly service: Service;
  readonly rows: Rows;
  readonly now: number;
  /** Something of the timetable falls due then. */
  scheduleAt(at: number): void;
  /** A delivery falls due then. */
  scheduleDeliveryAt(at: number): void;
};

/** Runs a change at the sandbox's time (or the time it was due) and wakes the alarms once it is durable. */
export async function inDatabaseTransaction<Result>(
  service: Service,
  work: (context: WriteContext) => Promise<Result>,
  now = service.clock.now(),
): Promise<Result> {
  let due = Number.POSITIVE_INFINITY;
  let deliveryDue = Number.POSITIVE_INFINITY;
  const result = await service.store.write((rows) =>
    work({
      service,
      rows,
      now,
      scheduleAt(at) {
        due = Math.min(due, at);
      },
      scheduleDeliveryAt(at) {
        deliveryDue = Math.min(deliveryDue, at);
      },
    }),
  );
  service.paymentScheduler.scheduleAt(due);
  service.deliveryScheduler.scheduleAt(deliveryDue);
  return result;
}
