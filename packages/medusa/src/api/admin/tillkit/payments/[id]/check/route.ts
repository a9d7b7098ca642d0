import { confirmPayment, syncRefunds } from "@tillkit/core";
import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";

/** `POST /admin/tillkit/payments/:id/check` reads the payment and its refunds from the service. */
export const POST = paymentRoute(async ({ runtime }, { id }) => {
  const result = await confirmPayment(runtime.engine, id, { actor: "operator", includeDuplicate: true });
  if (result.payment.transactionId !== null) await syncRefunds(runtime.engine, id);
  return result;
});
