import { acceptReview } from "@tillkit/core";
import { paymentRoute } from "../../../../../../attention/admin-route.ts";

/** `POST /admin/tillkit/payments/:id/accept`: the owner accepts exactly the difference that was found. */
export const POST = paymentRoute(({ till, by }, { id }) => acceptReview(till.engine, { paymentId: id, by }));
