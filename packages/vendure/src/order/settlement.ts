import { AsyncLocalStorage } from "node:async_hooks";

/** A payment that the plugin itself is writing to an order. `amount` in Vendure's decimals. */
export type Settlement = {
  readonly orderCode: string;
  readonly amount: number;
  readonly transactionId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

const settlement = new AsyncLocalStorage<Settlement>();

/**
 * Vendure creates a payment only by asking the payment method's handler, and everybody can ask it through the Shop API. During
 * `work`, and only there, the handler settles this payment.
 */
export function withSettlement<Result>(current: Settlement, work: () => Promise<Result>): Promise<Result> {
  return settlement.run(current, work);
}

/** The settlement under way in this call; undefined in every request of a shopper. */
export function currentSettlement(): Settlement | undefined {
  return settlement.getStore();
}
