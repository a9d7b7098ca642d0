import type { Money } from "./money.ts";
import type { Environment, OrderRef } from "./order.ts";

/** What the store is told when money arrived. */
export type Receipt = {
  readonly paymentId: string;
  readonly ref: OrderRef;
  readonly attempt: string;
  readonly sessionId: string;
  readonly transactionId: string | null;
  /** What was paid. Differs from `total` only where the owner accepted exactly that difference. */
  readonly paid: Money;
  /** The order's total as it was judged: a store that can compare refuses an order that was edited since. */
  readonly total: Money;
  readonly environment: Environment;
  /**
   * true: the owner set the order to paid by hand, and this payment counts as accepted. The store names it on the order
   * (transaction, payment id) and changes neither status nor stock. Left out otherwise: a paid order is then another payment's.
   */
  readonly alreadyPaid?: true;
  /** Grows with every lease of the order: a store that can compare refuses an older writer. */
  readonly fence: number;
};
