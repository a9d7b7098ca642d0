import { adminRoute } from "../../../../../../admin-api/admin-route.ts";
import { readTransactionView } from "../../../../../../admin-api/transaction-view.ts";

/** `GET /admin/tillkit/payments/:id/transaction` reads method and fee from the service. */
export const GET = adminRoute(({ runtime, language }, { params }) =>
  readTransactionView(runtime, params.id ?? "", language),
);
