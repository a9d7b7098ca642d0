import { AsyncLocalStorage } from "node:async_hooks";
import { decimalText, type Language, providerName, type Receipt, sameMoney } from "@tillkit/core";
import { PAYMENT_ID } from "./paid-by.ts";

/** A payment that the plugin itself is writing to an order. `amount` in Vendure's decimals. */
export type Settlement = {
  readonly orderCode: string;
  readonly amount: number;
  readonly transactionId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/**
 * What Vendure stores with the payment. Shoppers can read what is under `public`, and no shopper writes it. Vendure settles an order only
 * with its full total: if the owner accepted another amount, `received` has it.
 */
export function metadataOf({ paymentId, sessionId, provider, paid, total }: Receipt, language: Language) {
  const received = sameMoney(paid, total) ? {} : { received: decimalText(paid) };
  const paidWith = provider === undefined ? {} : { public: { paidWith: providerName(provider, language) } };
  return { [PAYMENT_ID]: paymentId, sessionId, ...received, ...paidWith };
}

const settlement = new AsyncLocalStorage<Settlement>();

/**
 * Lets the payment handler settle this payment during `work`. Vendure creates every payment through the handler, and anybody can
 * call the handler through the Shop API, so at any other time the handler refuses.
 */
export function withSettlement<Result>(current: Settlement, work: () => Promise<Result>): Promise<Result> {
  return settlement.run(current, work);
}

/** The settlement that is in progress in this call; undefined in every request of a shopper. */
export function currentSettlement(): Settlement | undefined {
  return settlement.getStore();
}
