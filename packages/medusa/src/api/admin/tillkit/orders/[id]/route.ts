import { adminRoute } from "../../../../../attention/admin-route.ts";
import { viewOf } from "../../../../../attention/payment-view.ts";
import { collectionIdsOf } from "../../../../../shop/order.ts";

/** `GET /admin/tillkit/orders/:id`: every payment of an order, newest first. None for an order that was paid otherwise. */
export const GET = adminRoute(async ({ till, language }, { params }) => {
  const { storeId } = till.options;
  const ids = await collectionIdsOf(till.container, params.id ?? "");
  const found = await Promise.all(ids.map((orderId) => till.ledger.siblings({ storeId, orderId })));
  const payments = found.flat().sort((left, right) => right.createdAt - left.createdAt);
  return { payments: await Promise.all(payments.map((payment) => viewOf(till, payment, language))) };
});
