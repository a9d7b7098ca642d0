import { adminRoute } from "../../../../admin-api/admin-route.ts";
import { countToReview } from "../../../../admin-api/list-payments.ts";

/** `GET /admin/tillkit/count` answers how many payments wait for a person, for the menu. */
export const GET = adminRoute(async ({ runtime }) => ({ count: await countToReview(runtime) }));
