import type { Ledger } from "@tillkit/core";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";

export type MultiLedgerOptions = Omit<CheckoutServerOptions, "ledger" | "keys"> & {
  /**
   * Each store begins in the first ledger and stays there until `moveStore`. Every process has all ledgers, in the same order.
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
   * Sign this ledger's links and references, newest first; 32 characters or more each. Two ledgers may not share a key: the key of a
   * payment's reference shows to which ledger the payment belongs, so that its webhooks are unrelated events in the other ledgers.
   */
  readonly keys: readonly string[];
};
