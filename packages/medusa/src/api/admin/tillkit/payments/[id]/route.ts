import { paymentRoute } from "../../../../../admin-api/admin-route.ts";

/** `GET /admin/tillkit/payments/:id` reads one payment. */
export const GET = paymentRoute(async () => {});
