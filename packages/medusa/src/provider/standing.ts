import type { AuthorizePaymentOutput, PaymentSessionStatus } from "@medusajs/framework/types";
import { codeOf, type Payment, type Verdict, verifyPayment } from "@tillkit/core";
import { readCollection } from "../shop/collection.ts";
import { hasOtherMoney } from "../shop/proof.ts";
import type { Till } from "../till/open-till.ts";
import { dataOf } from "./payment-data.ts";
import { notAllowed } from "./refusal.ts";

/**
 * What Medusa is told when it asks whether a session is paid: read from the service, judged, recorded. Takes no lock, for
 * Medusa holds the cart's while it asks.
 *
 * `captured`, never `authorized`: Medusa captures an authorized payment once for each webhook. Whatever may still become
 * paid is `requires_more`, for `error` and `canceled` end the session and a late success would find nobody.
 * @throws MedusaError `not_allowed` for money that must not pay this cart
 */
export async function authorize(till: Till, payment: Payment): Promise<AuthorizePaymentOutput> {
  const verdict = await look(till, payment);
  const status = statusOf(verdict);
  if (status === "captured") await assertNotPaidOtherwise(till, payment);
  const now = (await till.ledger.find({ id: payment.id })) ?? payment;
  return { status, data: dataOf(now) };
}

// Medusa captures whatever is called captured: beside money that an owner booked by hand it would be there twice.
async function assertNotPaidOtherwise({ container }: Till, { ref }: Payment): Promise<void> {
  const collection = await readCollection(container, ref.orderId);
  if (collection && hasOtherMoney(collection)) throw notAllowed("paidByAnother");
}

function statusOf(verdict: Verdict | null): PaymentSessionStatus {
  switch (verdict?.status) {
    case "paid":
    case "settled":
      return "captured";
    case "refunded":
      return "canceled";
    case "duplicate":
      throw notAllowed("paidByAnother");
    case "mismatch":
      // What differs is the owner's business, and stands on the owner's page.
      throw notAllowed("doesNotFit");
    default:
      return "requires_more";
  }
}

// Null: nobody answers just now. Nothing was learned, so nothing may end.
async function look(till: Till, payment: Payment): Promise<Verdict | null> {
  try {
    return await verifyPayment(till.engine, payment.id);
  } catch (error) {
    till.log.warn("authorize.not_read", { paymentId: payment.id, code: codeOf(error) });
    return null;
  }
}
