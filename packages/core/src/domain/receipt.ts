import type { Money } from "./money.ts";
import type { Environment, OrderRef } from "./order.ts";

/** What is written to the store when money has arrived. */
export type Receipt = {
  readonly paymentId: string;
  readonly ref: OrderRef;
  readonly attempt: string;
  readonly sessionId: string;
  readonly transactionId: string | null;
  /** The amount received. It differs from `total` only where the merchant accepted exactly that difference. */
  readonly paid: Money;
  /** Who accepted that difference, as the platform or our pages name people. */
  readonly acceptedBy?: string;
  /** The order's total at the time of the verdict. A store that can compare rejects the receipt if the order was edited since. */
  readonly total: Money;
  readonly environment: Environment;
  /** How the shopper paid, as the service calls it: `WAVE`, `CARD`. Absent where it could not be read, which delays no payment. */
  readonly provider?: string;
  /**
   * true: the merchant marked the order as paid and this payment counts for it. The store writes the payment id and the
   * transaction on the order and changes neither status nor stock. When absent, an order that the store shows
   * as paid was paid by another payment, and the store refuses the receipt.
   */
  readonly alreadyPaid?: true;
  /**
   * true: an earlier write of this payment got no answer. A store that shows the payment may not have finished what follows it, such as
   * stock and e-mails.
   */
  readonly unanswered?: true;
  /**
   * The order's other payments whose money has gone back, or was lost to a dispute. A store that cannot be read notes a payment before its
   * request. Where that request got no answer and the payment is one of these, this payment takes its place.
   */
  readonly returned?: readonly string[];
  /** Grows with every lease of the order. A store that can compare rejects an older writer. */
  readonly fence: number;
};
