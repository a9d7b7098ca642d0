import type { AmountUnit, Language } from "./domain/money.ts";
import type { OrderRef } from "./domain/order.ts";
import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";
import type { PaymentLedger } from "./ports/payment-ledger.ts";
import type { Random } from "./ports/random.ts";
import type { StoreAdapter } from "./ports/store-adapter.ts";
import type { Tenants } from "./ports/tenants.ts";
import { type CircuitBreakers, createCircuitBreakers } from "./resilience/circuit-breakers.ts";
import { guardTenants } from "./resilience/guarded-tenants.ts";
import { createSessionCache, type SessionCache } from "./resilience/session-cache.ts";
import { createStoreConcurrency, type StoreConcurrency } from "./resilience/store-concurrency.ts";
import { createWatchSchedule, type WatchSchedule } from "./resilience/watch-schedule.ts";

export type EngineOptions = {
  readonly ledger: PaymentLedger;
  readonly tenants: Tenants;
  /** @throws CheckoutError `store_not_known` */
  readonly store: (storeId: string) => Promise<StoreAdapter>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Sign our references, newest first. */
  readonly referenceKeys: readonly [string, ...string[]];
  /** Absolute URLs that the hosted page sends the shopper to; `language` is the order's. */
  readonly returnUrls: (payment: { id: string; ref: OrderRef; attempt: string; language: Language }) => {
    success: string;
    cancel: string;
  };
  /** How the service counts USD and EUR; `minor` unless set. */
  readonly amountUnit?: AmountUnit;
  /** Names this process in leases; random unless set. */
  readonly worker?: string;
  /**
   * Money that arrived and cannot count is given back at once, without asking the owner: a second payment of an order
   * (`duplicate`), one whose order is gone or can no longer be paid (`order_gone`, `order_not_payable`). Nothing unless set.
   */
  readonly autoRefund?: readonly AutoRefundReason[];
};

export type AutoRefundReason = "duplicate" | "order_gone" | "order_not_payable";

/** Everything a use-case needs. Made by `createEngine`. */
export type Engine = Required<EngineOptions> & {
  /** Readings that several lookers share, shoppers who wait, who does not answer, who is busy: of this process only, lost without harm. */
  readonly sessionCache: SessionCache;
  readonly watchSchedule: WatchSchedule;
  readonly circuitBreakers: CircuitBreakers;
  readonly storeConcurrency: StoreConcurrency;
};

export function createEngine(options: EngineOptions): Engine {
  const breakers = createCircuitBreakers(options.clock);
  return {
    amountUnit: "minor",
    worker: options.random.uuid(),
    autoRefund: [],
    ...options,
    tenants: guardTenants(options.tenants, breakers),
    circuitBreakers: breakers,
    sessionCache: createSessionCache(options.clock),
    watchSchedule: createWatchSchedule(),
    storeConcurrency: createStoreConcurrency(),
  };
}
