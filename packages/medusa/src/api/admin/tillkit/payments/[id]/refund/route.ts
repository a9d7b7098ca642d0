import { refundReview } from "@tillkit/core";
import { paymentRoute } from "../../../../../../attention/admin-route.ts";
import { refundAccepted } from "../../../../../../attention/refund-accepted.ts";
import { notAllowed } from "../../../../../../provider/refusal.ts";
import { readCollection } from "../../../../../../shop/collection.ts";
import { heldByHand } from "../../../../../../shop/proof.ts";

/** `POST /admin/tillkit/payments/:id/refund`: sends back all that arrived for a payment that Medusa itself cannot refund. */
export const POST = paymentRoute(async ({ till, by }, payment) => {
  if (payment.state === "review" || payment.state === "duplicate") {
    await refundReview(till.engine, { paymentId: payment.id, by });
    return;
  }
  const collection = await readCollection(till.container, payment.ref.orderId);
  if (!collection || !heldByHand(collection, payment.id)) throw notAllowed("paysAnOrder");
  await refundAccepted(till, payment, by);
});
