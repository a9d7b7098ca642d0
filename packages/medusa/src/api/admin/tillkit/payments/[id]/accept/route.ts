import { acceptPayment } from "../../../../../../admin-api/accept-payment.ts";
import { paymentRoute, seenIn } from "../../../../../../admin-api/admin-route.ts";

/** `POST /admin/tillkit/payments/:id/accept` with `{ seen }` accepts exactly the difference that the page showed. */
export const POST = paymentRoute(({ runtime, by }, payment, request) =>
  acceptPayment(runtime, payment, { by, seen: seenIn(request) }),
);
