import { adminRoute } from "../../../../admin-api/admin-route.ts";
import { listPayments, readFilter } from "../../../../admin-api/list-payments.ts";

/** `GET /admin/tillkit/payments?filter=review|refunded|all&search=…&after=…&language=fr|en` */
export const GET = adminRoute(({ runtime, language }, { query }) => {
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  const search = textOf(query.search);
  return listPayments(runtime, { filter: readFilter(query.filter), after: textOf(query.after), search, language });
});
