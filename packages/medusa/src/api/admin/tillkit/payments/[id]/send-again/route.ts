import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";
import { sendRefundAgain } from "../../../../../../provider/send-refund-again.ts";

/** `POST /admin/tillkit/payments/:id/send-again?refund=KEY` sends again a refund that failed after Medusa had shown it. */
export const POST = paymentRoute(async ({ runtime, by }, payment, { query }) => {
  await sendRefundAgain(runtime, payment, { key: typeof query.refund === "string" ? query.refund : "", by });
});
