import { z } from "zod";
import { paymentRoute } from "../../../../../../admin-api/admin-route.ts";
import { settleRefund } from "../../../../../../admin-api/settle-refund.ts";

const bodySchema = z.object({ reason: z.string() });

/** `POST /admin/tillkit/payments/:id/settle?refund=KEY` with `{ reason }`: a failed refund was settled outside the service. */
export const POST = paymentRoute(async ({ runtime, by }, payment, { query, body }) => {
  const parsed = bodySchema.safeParse(body);
  const key = typeof query.refund === "string" ? query.refund : "";
  await settleRefund(runtime, payment, { key, by, reason: parsed.success ? parsed.data.reason : "" });
});
