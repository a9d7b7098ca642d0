import type { Payment } from "@tillkit/core";
import { type BackOffice, type Host, viewPayment } from "@tillkit/core/back-office";
import { sendRefundAgain, settleRefundOutside } from "@tillkit/core/store-refunds";
import { storeRefundsOf } from "../refunds/shown-refunds.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import type { ReadPayment } from "./payment-problem.ts";
import { placeOrder } from "./place-order.ts";
import { hostFactsOf, readShopFacts } from "./shop-facts.ts";

/** Where the owner decides about a payment in Medusa's admin. */
export function backOfficeOf(runtime: CheckoutRuntime): BackOffice {
  const { engine, ledger } = runtime;
  return { engine, acts: ledger, host: hostOf(runtime) };
}

/** A payment as the admin shows it, with the facts that Medusa has about it. Both are read once. */
export async function readPayment(runtime: CheckoutRuntime, payment: Payment): Promise<ReadPayment> {
  const shop = await readShopFacts(runtime, payment);
  const host = { facts: async () => hostFactsOf(payment, shop) };
  return { shop, view: await viewPayment({ engine: runtime.engine, host }, payment) };
}

function hostOf(runtime: CheckoutRuntime): Host {
  return {
    facts: async (payment) => hostFactsOf(payment, await readShopFacts(runtime, payment)),
    place: (payment, decision) => placeOrder(runtime, payment, decision),
    sendAgain: (payment, key, decision) =>
      sendRefundAgain(runtime, storeRefundsOf(runtime, payment), payment, key, decision),
    settledOutside: (payment, key, decision) =>
      settleRefundOutside(runtime, storeRefundsOf(runtime, payment), payment, key, decision),
  };
}
