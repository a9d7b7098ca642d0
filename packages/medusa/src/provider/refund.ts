import type { RefundPaymentInput, RefundPaymentOutput } from "@medusajs/framework/types";
import { type Money, type Payment, refundPayment } from "@tillkit/core";
import { moneyOf } from "../shop/amounts.ts";
import type { Till } from "../till/open-till.ts";
import { dataOf } from "./payment-data.ts";
import { notAllowed } from "./refusal.ts";

export async function refund(till: Till, payment: Payment, input: RefundPaymentInput): Promise<RefundPaymentOutput> {
  const amount: Money = moneyOf(input.amount, payment.owed.currency);
  const key = `medusa:${input.context?.idempotency_key ?? ""}`;
  const { state } = await refundPayment(till.engine, { paymentId: payment.id, key, amount, origin: "store" });
  if (state === "failed") throw notAllowed("The service refused this refund: the money is still here.");
  if (state === "unknown" || state === "asked") throw notAllowed("The service did not answer.");
  return { data: dataOf(payment) };
}
