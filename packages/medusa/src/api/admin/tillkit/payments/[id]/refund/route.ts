import { refundReview } from "@tillkit/core";
import { paymentRoute, seenIn } from "../../../../../../admin-api/admin-route.ts";
import { assertAsSeen, stillAsSeen } from "../../../../../../admin-api/assert-as-seen.ts";
import { findProblems } from "../../../../../../admin-api/payment-problems.ts";
import { refundRest } from "../../../../../../admin-api/refund-rest.ts";
import { userError } from "../../../../../../errors/user-error.ts";
import { manualPaymentFor } from "../../../../../../store/paid-by.ts";
import { readCollection } from "../../../../../../store/payment-collection.ts";

/**
 * `POST /admin/tillkit/payments/:id/refund` with `{ seen }` refunds all of a payment that Medusa itself cannot refund. Without `seen` the
 * payment waited for no decision when the page showed it.
 */
export const POST = paymentRoute(async ({ runtime, by }, payment, request) => {
  const seen = seenIn(request);
  await assertAsSeen(runtime, payment, seen);
  if (payment.state === "review" || payment.state === "duplicate") {
    const stillApplies = stillAsSeen(runtime, payment.id, seen);
    await refundReview(runtime.engine, { paymentId: payment.id, by, stillApplies });
    return;
  }
  const collection = await readCollection(runtime.container, payment.ref.orderId);
  const isManual = collection !== null && manualPaymentFor(collection, payment.id) !== null;
  if (!isManual && !(await findProblems(runtime, payment, collection)).isCanceledUnrefunded) {
    throw userError("refundOnOrder");
  }
  await refundRest(runtime, payment, by);
});
