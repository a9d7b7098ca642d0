import type { AuthorizePaymentOutput, PaymentSessionStatus } from "@medusajs/framework/types";
import { codeOf, type Payment, providerName, readProvider, type Verdict, verifyPayment } from "@tillkit/core";
import { isWriteTooLate } from "../adapter/write-in-time.ts";
import { userError } from "../errors/user-error.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { hasOtherPayment } from "../store/paid-by.ts";
import { readCollection } from "../store/payment-collection.ts";
import { toPaymentData } from "./payment-data.ts";

/**
 * Answers whether a session is paid, after reading the payment from the service and recording the verdict. No lock is taken
 * here, because Medusa holds the cart's lock while it calls the provider.
 *
 * A paid session is `captured`, never `authorized`: Medusa captures an authorized payment once for each webhook. A session
 * that may still be paid is `requires_more`: `error` and `canceled` end the session, and a late success would have no cart.
 * @throws Error with a text for a payment that must not pay this cart
 */
export async function authorize(runtime: CheckoutRuntime, payment: Payment): Promise<AuthorizePaymentOutput> {
  const verdict = await verify(runtime, payment);
  runtime.debug("authorize.judged", { paymentId: payment.id, verdict: verdict?.status ?? "unknown" });
  const current = (await runtime.ledger.find({ id: payment.id })) ?? payment;
  // Nobody is told that money has arrived which a dispute took back.
  const status = current.lostToDispute ? "canceled" : statusOf(verdict);
  if (status === "captured") await assertNoOtherPayment(runtime, payment);
  const data = toPaymentData(current, status === "captured" ? await paidWith(runtime, current) : null);
  // Compared after the last wait. The session stays open, and the engine completes the cart at its next try.
  if (status === "captured" && isWriteTooLate()) return { status: "requires_more", data: toPaymentData(current) };
  return { status, data };
}

async function paidWith({ engine, options }: CheckoutRuntime, payment: Payment): Promise<string | null> {
  const provider = await readProvider(engine, payment);
  return provider === null ? null : providerName(provider, options.language);
}

// Medusa adds a captured payment to those it has: beside the owner's "Mark as paid" the amount would count twice.
async function assertNoOtherPayment({ container }: CheckoutRuntime, { ref }: Payment): Promise<void> {
  const collection = await readCollection(container, ref.orderId);
  if (collection && hasOtherPayment(collection)) throw userError("paidByOtherPayment");
}

function statusOf(verdict: Verdict | null): PaymentSessionStatus {
  switch (verdict?.status) {
    case "paid":
    case "recorded":
      return "captured";
    case "refunded":
      return "canceled";
    case "duplicate":
      throw userError("paidByOtherPayment");
    case "mismatch":
      // The admin page shows the owner what differs; the shopper only learns that the payment is being checked.
      throw userError("mismatch");
    default:
      return "requires_more";
  }
}

// Null when the service does not answer: the status is unknown, so the session stays open.
async function verify(runtime: CheckoutRuntime, payment: Payment): Promise<Verdict | null> {
  try {
    return await verifyPayment(runtime.engine, payment.id);
  } catch (error) {
    runtime.log.warn("authorize.verification_failed", { paymentId: payment.id, code: codeOf(error) });
    return null;
  }
}
