import type { HostJobKind } from "./domain/job.ts";
import { limits } from "./domain/limits.ts";
import type { AmountUnit, Language } from "./domain/money.ts";
import type { OrderRef } from "./domain/order.ts";
import type { Payment } from "./domain/payment.ts";
import type { SessionReading } from "./domain/session-reading.ts";
import type { Clock } from "./ports/clock.ts";
import type { HostJob } from "./ports/host-job.ts";
import type { Log } from "./ports/log.ts";
import type { PaymentLedger } from "./ports/payment-ledger.ts";
import type { Random } from "./ports/random.ts";
import type { Records } from "./ports/records.ts";
import type { TransactionReading } from "./ports/service.ts";
import type { StoreAdapter } from "./ports/store-adapter.ts";
import type { Tenants } from "./ports/tenants.ts";
import { NO_TRACING, type Tracing } from "./ports/tracing.ts";
import { type CircuitBreakers, createCircuitBreakers } from "./resilience/circuit-breakers.ts";
import { createKeyAlarm, guardTenants } from "./resilience/guarded-tenants.ts";
import { createInstallations, type Installations } from "./resilience/installations.ts";
import { createReadingCache, type ReadingCache } from "./resilience/reading-cache.ts";
import { createStoreBlocks, type StoreBlocks } from "./resilience/store-blocks.ts";
import { createStoreConcurrency, type StoreConcurrency } from "./resilience/store-concurrency.ts";
import { createWatchSchedule, type WatchSchedule } from "./resilience/watch-schedule.ts";

export type EngineOptions = {
  /** With `records`, its processes share what they know of stores that refuse us. */
  readonly ledger: PaymentLedger & { readonly records?: Pick<Records, "get" | "put"> };
  readonly tenants: Tenants;
  /** @throws CheckoutError `store_not_known` */
  readonly store: (storeId: string) => Promise<StoreAdapter>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The keys that sign references, newest first. */
  readonly referenceKeys: readonly [string, ...string[]];
  /** The absolute URLs to which the hosted page sends the shopper. `language`: the language of the order. */
  readonly returnUrls: (payment: { id: string; ref: OrderRef; attempt: string; language: Language }) => {
    success: string;
    cancel: string;
  };
  /** The service's unit for USD and EUR. Default: `minor`. */
  readonly amountUnit?: AmountUnit;
  /**
   * The public address of this host. A ledger that was copied to another address refunds and decides nothing until a person has said whether the
   * shop moved there. Default: not compared.
   */
  readonly publicUrl?: string | null;
  /** The name of this process in leases. Default: random. */
  readonly worker?: string;
  /**
   * The payments that are refunded automatically: a second payment of an order (`duplicate`), a payment whose order no longer
   * exists (`order_gone`), a payment whose order can no longer be paid (`order_not_payable`). Default: none; the merchant decides.
   */
  readonly autoRefund?: readonly AutoRefundReason[];
  /**
   * The absolute URL of the page on which a person decides about a payment, which ends the message of a refund that a person must
   * decide; null: there is no such page. Default: none.
   */
  readonly decisionUrl?: (payment: Payment) => string | null;
  /** The jobs of the host's platform, by kind. This process claims no other jobs of hosts. Default: none. */
  readonly hostJobs?: Readonly<Record<HostJobKind, HostJob>>;
  /** Shows the steps of payments to a tracing system. Default: nothing is traced. */
  readonly tracing?: Tracing;
};

export type AutoRefundReason = "duplicate" | "order_gone" | "order_not_payable";

/** Everything that a use-case needs. Created by `createEngine`. */
export type Engine = Required<EngineOptions> & {
  readonly installations: Installations;
  /** The last seven fields hold state of this process only. Losing this state at a restart does no harm. */
  readonly sessionCache: ReadingCache<SessionReading>;
  readonly transactionCache: ReadingCache<TransactionReading | null>;
  readonly watchSchedule: WatchSchedule;
  readonly circuitBreakers: CircuitBreakers;
  readonly storeBlocks: StoreBlocks;
  readonly storeConcurrency: StoreConcurrency;
  readonly hostConcurrency: StoreConcurrency;
};

export function createEngine(options: EngineOptions): Engine {
  const breakers = createCircuitBreakers(options.clock);
  return {
    amountUnit: "minor",
    publicUrl: null,
    worker: options.random.uuid(),
    autoRefund: [],
    decisionUrl: () => null,
    hostJobs: {},
    tracing: NO_TRACING,
    ...options,
    tenants: guardTenants(options.tenants, breakers, createKeyAlarm(options)),
    installations: createInstallations(options.ledger.records, options.clock),
    circuitBreakers: breakers,
    storeBlocks: createStoreBlocks(options.ledger.records, options),
    sessionCache: createReadingCache(options.clock),
    transactionCache: createReadingCache(options.clock),
    watchSchedule: createWatchSchedule(),
    storeConcurrency: createStoreConcurrency(limits.concurrentJobsPerStore),
    hostConcurrency: createStoreConcurrency(limits.concurrentHostJobsPerStore),
  };
}
