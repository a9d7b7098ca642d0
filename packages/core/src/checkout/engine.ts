import type { AmountUnit, Language } from "../domain/money.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import type { Random } from "../ports/random.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
import type { Tenants } from "../ports/tenants.ts";
import { type Breakers, createBreakers } from "./breakers.ts";
import { guardTenants } from "./guarded-tenants.ts";
import { createReadings, type Readings } from "./readings.ts";
import { createStoreSlots, type StoreSlots } from "./store-slots.ts";
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
  /**
   * Money that arrived and cannot count is given back at once, without asking the owner: a second payment of an order
   * (`duplicate`), one whose order is gone or can no longer be paid (`order_gone`, `order_not_payable`). Nothing unless set.
   */
  readonly giveBack?: readonly GiveBack[];
};

export type GiveBack = "duplicate" | "order_gone" | "order_not_payable";

/** Everything a use-case needs. Made by `createEngine`. */
export type Engine = Required<EngineOptions> & {
  /** Readings that several lookers share, shoppers who wait, who does not answer, who is busy: of this process only, lost without harm. */
  readonly readings: Readings;
  readonly watches: Watches;
  readonly breakers: Breakers;
  readonly slots: StoreSlots;
};

export function createEngine(options: EngineOptions): Engine {
  const breakers = createBreakers(options.clock);
  return {
    amountUnit: "minor",
    worker: options.random.uuid(),
    giveBack: [],
    ...options,
    tenants: guardTenants(options.tenants, breakers),
    breakers,
    readings: createReadings(options.clock),
    watches: createWatches(),
    slots: createStoreSlots(),
  };
}
