import { adminRoute } from "../../../../attention/admin-route.ts";
import { listPayments, readShow } from "../../../../attention/list-payments.ts";

/** `GET /admin/tillkit/payments?show=attention|refunded|all&after=…&language=fr|en` */
export const GET = adminRoute(({ till, language }, { query }) => {
  const after = typeof query.after === "string" ? query.after : undefined;
  return listPayments(till, { show: readShow(query.show), after, language });
});
