import { confirmPayment, syncRefunds } from "@tillkit/core";
import { paymentRoute } from "../../../../../../attention/admin-route.ts";

/** `POST /admin/tillkit/payments/:id/check`: reads the payment and its refunds from the service now. */
export const POST = paymentRoute(async ({ till }, { id }) => {
  const { payment } = await confirmPayment(till.engine, id, { actor: "operator", includeDuplicate: true });
  if (payment.transactionId !== null) await syncRefunds(till.engine, id);
});
