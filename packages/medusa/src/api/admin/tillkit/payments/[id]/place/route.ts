import { paymentRoute, seenIn } from "../../../../../../admin-api/admin-route.ts";
import { placeOrder } from "../../../../../../admin-api/place-order.ts";

/** `POST /admin/tillkit/payments/:id/place` with `{ seen }` places the order of a held payment whose cart is still open. */
export const POST = paymentRoute(({ runtime, by }, { id }, request) =>
  placeOrder(runtime, id, { by, seen: seenIn(request) }),
);
