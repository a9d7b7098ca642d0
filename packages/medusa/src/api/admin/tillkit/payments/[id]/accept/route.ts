import { acceptReview } from "@tillkit/core";
import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";

/** `POST /admin/tillkit/payments/:id/accept` accepts exactly the difference that was found. */
export const POST = paymentRoute(({ runtime, by }, { id }) => acceptReview(runtime.engine, { paymentId: id, by }));
