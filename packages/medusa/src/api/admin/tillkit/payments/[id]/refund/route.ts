import { refundReview } from "@tillkit/core";
import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";
import { findProblems } from "../../../../../../admin-api/payment-problems.ts";
import { refundRest } from "../../../../../../admin-api/refund-rest.ts";
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
  const isManual = collection !== null && manualPaymentFor(collection, payment.id) !== null;
  if (!isManual && !(await findProblems(runtime, payment, collection)).isCanceledUnrefunded) {
    throw userError("refundOnOrder");
  }
  await refundRest(runtime, payment, by);
});
