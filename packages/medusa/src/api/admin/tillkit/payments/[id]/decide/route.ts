import { paymentRoute, seenIn } from "../../../../../../admin-api/admin-route.ts";
import { decideAboutMoney } from "../../../../../../admin-api/decide-money.ts";

/** `POST /admin/tillkit/payments/:id/decide` with `{ seen, kind, … }` makes a person's decision about the money of a payment. */
export const POST = paymentRoute(({ runtime, by }, payment, request) =>
  decideAboutMoney(runtime, payment, { by, seen: seenIn(request) }, request.body),
);
