import { adminRoute } from "../../../../admin-api/admin-route.ts";
import { listPayments, readFilter } from "../../../../admin-api/list-payments.ts";

/** `GET /admin/tillkit/payments?filter=review|refunded|all&after=…&language=fr|en` */
export const GET = adminRoute(({ runtime, language }, { query }) => {
  const after = typeof query.after === "string" ? query.after : undefined;
  return listPayments(runtime, { filter: readFilter(query.filter), after, language });
});
