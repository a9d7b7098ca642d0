import { refundReview } from "@tillkit/core";
import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";
import { refundAcceptedPayment } from "../../../../../../admin-api/refund-accepted-payment.ts";
import { userError } from "../../../../../../errors/user-error.ts";
import { manualPaymentFor } from "../../../../../../store/paid-by.ts";
import { readCollection } from "../../../../../../store/payment-collection.ts";

/** `POST /admin/tillkit/payments/:id/refund` refunds all of a payment that Medusa itself cannot refund. */
export const POST = paymentRoute(async ({ runtime, by }, payment) => {
  if (payment.state === "review" || payment.state === "duplicate") {
    await refundReview(runtime.engine, { paymentId: payment.id, by });
    return;
  }
  const collection = await readCollection(runtime.container, payment.ref.orderId);
  if (!collection || !manualPaymentFor(collection, payment.id)) throw userError("refundOnOrder");
  await refundAcceptedPayment(runtime, payment, by);
});
