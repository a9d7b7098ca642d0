import { paymentRoute } from "../../../../../attention/admin-route.ts";

/** `GET /admin/tillkit/payments/:id` */
export const GET = paymentRoute(async () => {});
