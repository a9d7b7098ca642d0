import { refundReview } from "@tillkit/core";
import { paymentRoute } from "../../../../../../attention/admin-route.ts";
import { notAllowed } from "../../../../../../provider/refusal.ts";

/** `POST /admin/tillkit/payments/:id/refund`: sends back all that arrived for a payment that pays nothing. */
export const POST = paymentRoute(async ({ till, by }, { id, state }) => {
  if (state !== "review" && state !== "duplicate") throw notAllowed("paysAnOrder");
  await refundReview(till.engine, { paymentId: id, by });
});
