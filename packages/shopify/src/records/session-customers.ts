import type { Customer } from "@tillkit/core";
import { allRecords } from "@tillkit/core/hosts";
import type { Records } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";

const KIND = "shopify-payment-customer";

type Row = { readonly at: number; readonly customer: Customer };

/**
 * The customers whom Shopify posted with payment sessions, to fill in the hosted page. They are stored apart from the sessions, which
 * are kept for years: a shopper follows the pay link within seconds, so a customer is removed after an hour.
 */
export type SessionCustomers = {
  /** Stores what was posted with a new session; `at` in milliseconds since 1970. Nothing is stored for a customer without data. */
  add(shop: string, gid: string, customer: Customer, at: number): Promise<void>;
  /** Empty when nothing was posted, or too long before `now`. */
  find(shop: string, gid: string, now: number): Promise<Customer>;
  /** Removes the customers of all shops who were posted too long before `now`. */
  prune(now: number): Promise<void>;
};

export function createSessionCustomers(records: Records): SessionCustomers {
  // Nobody knows how old a row of the future is: a clock that was ahead has dated it.
  const isTooOld = ({ at }: Row, now: number) => Math.abs(now - at) >= shopifyLimits.customerLifeMs;
  return {
    async add(shop, gid, customer, at) {
      if (Object.keys(customer).length === 0) return;
      await records.put(shop, KIND, gid, { at, customer } satisfies Row, "new");
    },
    async find(shop, gid, now) {
      const row = (await records.get(shop, KIND, gid))?.value as Row | undefined;
      return row === undefined || isTooOld(row, now) ? {} : row.customer;
    },
    async prune(now) {
      for await (const { storeId, key, value, version } of allRecords(records, { kind: KIND }))
        if (isTooOld(value as Row, now)) await records.remove(storeId, KIND, key, version);
    },
  };
}
