import { type BackOffice, type Host, type Payment, viewPayment } from "@tillkit/core";
import { changedError } from "../errors/changed-error.ts";
import { sendRefundAgain } from "../provider/send-refund-again.ts";
import { recordSettlement } from "../refunds/settled-refunds.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import type { ReadPayment } from "./payment-problem.ts";
import { placeOrder } from "./place-order.ts";
import { hostFactsOf, readShopFacts, type ShopFacts } from "./shop-facts.ts";

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
    sendAgain: (payment, key, decision) => sendRefundAgain(runtime, payment, { key, ...decision }),
    async settledOutside(payment, key, decision) {
      const settled = recordKeyOf(await readShopFacts(runtime, payment), key);
      await recordSettlement(runtime, payment, settled, decision);
    },
  };
}

// A refund of which Medusa has a row is settled under the row, because several tries of the row are one refund.
function recordKeyOf({ failedRefunds, failedOwnRefund }: ShopFacts, key: string): string {
  const failed = failedRefunds.find(({ refund }) => refund.key === key);
  if (failed) return failed.row;
  if (failedOwnRefund?.key !== key) throw changedError();
  return key;
}
