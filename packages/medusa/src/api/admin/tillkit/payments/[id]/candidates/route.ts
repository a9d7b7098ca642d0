import { adminRoute, findPaymentOfStore } from "../../../../../../admin-api/admin-route.ts";
import { listCandidates } from "../../../../../../admin-api/list-candidates.ts";

/** `GET /admin/tillkit/payments/:id/candidates` reads from the service the transactions that may have paid a payment that names none. */
export const GET = adminRoute(async ({ runtime, language }, { params }) => {
  const payment = await findPaymentOfStore(runtime, params.id ?? "");
  return payment && { candidates: await listCandidates(runtime, payment, language) };
});
