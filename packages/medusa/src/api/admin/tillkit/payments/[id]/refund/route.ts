import { refundReview } from "@tillkit/core";
import { paymentRoute, seenIn } from "../../../../../../admin-api/admin-route.ts";
import { assertAsSeen } from "../../../../../../admin-api/assert-as-seen.ts";
import { findProblems } from "../../../../../../admin-api/payment-problems.ts";
import { refundRest } from "../../../../../../admin-api/refund-rest.ts";
import { userError } from "../../../../../../errors/user-error.ts";
import { manualPaymentFor } from "../../../../../../store/paid-by.ts";
import { readCollection } from "../../../../../../store/payment-collection.ts";

/**
 * `POST /admin/tillkit/payments/:id/refund` with `{ seen }` refunds all of a payment that Medusa itself cannot refund. Without `seen` the
 * page did not show the payment as held.
 */
export const POST = paymentRoute(async ({ runtime, by }, payment, request) => {
  await assertAsSeen(runtime, payment, seenIn(request));
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
