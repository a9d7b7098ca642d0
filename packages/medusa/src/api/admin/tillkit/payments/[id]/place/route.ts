import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";
import { placeOrder } from "../../../../../../admin-api/place-order.ts";

/** `POST /admin/tillkit/payments/:id/place` places the order of a held payment whose cart is still open. */
export const POST = paymentRoute(({ runtime, by }, { id }) => placeOrder(runtime, id, by));
