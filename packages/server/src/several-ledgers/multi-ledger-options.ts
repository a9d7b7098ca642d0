import type { Ledger } from "@tillkit/core";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";

export type MultiLedgerOptions = Omit<CheckoutServerOptions, "ledger" | "keys"> & {
  /**
   * Each store begins in the first ledger, until `moveStore`. Every process that serves one of them has all of them, in this order.
   * `scheduledTasks` and `warnings` of the host run with the first ledger.
   */
  readonly ledgers: readonly [NamedLedger, ...NamedLedger[]];
};

/** One of several ledgers at one address. Any other option of the server may differ in this ledger. */
export type NamedLedger = Partial<Omit<CheckoutServerOptions, "publicUrl" | "ledger" | "keys">> & {
  /** A part of addresses: small letters, digits and `-`. It is stored in the ledger and never changes. */
  readonly name: string;
  readonly ledger: Ledger;
  /**
   * Sign this ledger's links and references, newest first; 32 characters or more each. No other ledger may have one of them: by its
   * key, a payment belongs to one ledger, and a webhook of it is unrelated to the others.
   */
  readonly keys: readonly string[];
};
