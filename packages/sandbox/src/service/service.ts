import type { RateLimits } from "../api/rate-limit.ts";
import type { RequestLog } from "../api/request-log.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { Rows, Store } from "../storage/open-store.ts";
import type { SessionRow, TransactionRow } from "../storage/tables.ts";
import type { Alarm } from "./alarm.ts";
import type { SandboxClock } from "./clock.ts";
import type { EarlierRows } from "./earlier-rows.ts";
import type { Faults } from "./faults.ts";
import type { Ids } from "./ids.ts";
import type { Settings } from "./settings.ts";

/** The running service: what every route, page and timer works on. */
export type Service = {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly ids: Ids;
  readonly faults: Faults;
  readonly rates: RateLimits;
  readonly requests: RequestLog;
  readonly earlier: Earlier;
  readonly addresses: Addresses;
  settings: Settings;
  /** Sessions that expire and payments that complete by themselves. */
  readonly timetable: Alarm;
  /** Deliveries whose attempt is due. */
  readonly postman: Alarm;
};

/** What the service's reads showed before the last changes. */
export type Earlier = {
  readonly sessions: EarlierRows<SessionRow>;
  readonly transactions: EarlierRows<TransactionRow>;
  readonly refunds: EarlierRows<RefundRow>;
};

export type Addresses = { baseUrl: string; checkoutBaseUrl: string; consoleUrl: string; controlUrl: string };

/** One change of the stored state: everything in it is kept, or nothing. */
export type Change = {
  readonly service: Service;
  readonly rows: Rows;
  readonly now: number;
  /** Something of the timetable falls due then. */
  expect(at: number): void;
  /** A delivery falls due then. */
  expectDelivery(at: number): void;
};

/** Runs a change at the sandbox's time (or the time it was due) and wakes the alarms once it is durable. */
export async function changeState<Result>(
  service: Service,
  work: (change: Change) => Promise<Result>,
  now = service.clock.now(),
): Promise<Result> {
  let due = Number.POSITIVE_INFINITY;
  let deliveryDue = Number.POSITIVE_INFINITY;
  const result = await service.store.write((rows) =>
    work({
      service,
      rows,
      now,
      expect(at) {
        due = Math.min(due, at);
      },
      expectDelivery(at) {
        deliveryDue = Math.min(deliveryDue, at);
      },
    }),
  );
  service.timetable.expect(due);
  service.postman.expect(deliveryDue);
  return result;
}
