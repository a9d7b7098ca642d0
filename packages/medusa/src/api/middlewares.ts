import {
  type AuthenticatedMedusaRequest,
  defineMiddlewares,
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
} from "@medusajs/framework/http";
import { refundBeforeCancel } from "../admin-api/refund-before-cancel.ts";
import { toMedusaError } from "../errors/user-error.ts";
import type { TillkitModule } from "../modules/tillkit/index.ts";

export default defineMiddlewares({
  routes: [
    // The signature covers the raw bytes of a webhook, so Medusa must not parse its body. Our own size limit applies instead.
    { matcher: "/tillkit/webhooks/:endpointId", methods: ["POST"], bodyParser: false },
    // Runs after Medusa has authenticated the user and checked the user's permission.
    { matcher: "/admin/orders/:id/cancel", methods: ["POST"], middlewares: [refundCanceledOrder] },
  ],
});

/** Refunds before Medusa cancels the order. A refused refund stops the cancellation: Medusa alone would cancel without a refund. */
export async function refundCanceledOrder(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const runtime = await request.scope.resolve<TillkitModule>("tillkit").runtime();
  const by = (request as AuthenticatedMedusaRequest).auth_context?.actor_id ?? "";
  try {
    if (by !== "") await refundBeforeCancel(runtime, request.params.id ?? "", by);
  } catch (error) {
    throw toMedusaError(error, runtime.options.language);
  }
  next();
}
