import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";
import { decideFromBody } from "../../../../../../admin-api/decide-payment.ts";

/** `POST /admin/tillkit/payments/:id/decide` with `{ seen, kind, … }` carries out what a person decided about what the page showed. */
export const POST = paymentRoute((admin, payment, { body }) => decideFromBody(admin, payment, body));
