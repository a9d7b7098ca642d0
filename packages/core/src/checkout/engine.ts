import type { AmountUnit, Language } from "../domain/money.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import type { Random } from "../ports/random.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
import type { Tenants } from "../ports/tenants.ts";
import { createReadings, type Readings } from "./readings.ts";
import { createWatches, type Watches } from "./watches.ts";

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
};

/** Everything a use-case needs. Made by `createEngine`. */
export type Engine = Required<EngineOptions> & {
  /** Readings that several lookers share, and shoppers who wait: of this process only, lost without harm. */
  readonly readings: Readings;
  readonly watches: Watches;
};

export function createEngine(options: EngineOptions): Engine {
  return {
    amountUnit: "minor",
    worker: options.random.uuid(),
    ...options,
    readings: createReadings(options.clock),
    watches: createWatches(),
  };
}
