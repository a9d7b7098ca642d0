import { adminRoute } from "../../../../../admin-api/admin-route.ts";
import { toPaymentView } from "../../../../../admin-api/payment-view.ts";
import { readCollectionIds } from "../../../../../store/order.ts";

/** `GET /admin/tillkit/orders/:id` lists the payments of an order, newest first. The list is empty for an order paid elsewhere. */
export const GET = adminRoute(async ({ runtime, language }, { params }) => {
  const { storeId } = runtime.options;
  const ids = await readCollectionIds(runtime.container, params.id ?? "");
  const found = await Promise.all(ids.map((orderId) => runtime.ledger.paymentsOfOrder({ storeId, orderId })));
  const payments = found.flat().sort((left, right) => right.createdAt - left.createdAt);
  return { payments: await Promise.all(payments.map((payment) => toPaymentView(runtime, payment, language))) };
});
