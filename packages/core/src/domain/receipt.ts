import type { Money } from "./money.ts";
import type { Environment, OrderRef } from "./order.ts";

/** What the store is told when money arrived. */
export type Receipt = {
  readonly paymentId: string;
  readonly ref: OrderRef;
  readonly attempt: string;
  readonly sessionId: string;
  readonly transactionId: string | null;
  readonly paid: Money;
  readonly environment: Environment;
  /** Grows with every lease of the order: a store that can compare refuses an older writer. */
  readonly fence: number;
};
