import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import type { JobError, Payment } from "@tillkit/core";
import { explainUnknownPayment } from "@tillkit/core/back-office";
import { logCodeOf, toMedusaError } from "../errors/user-error.ts";
import type { TillkitModule } from "../modules/tillkit/index.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import type { AdminRequest } from "./admin-request.ts";
import { toPaymentView } from "./payment-view.ts";

type Route = (request: AuthenticatedMedusaRequest, response: MedusaResponse) => Promise<void>;

/** An admin route. Medusa has authenticated the user. A handler that returns null answers 404. */
export function adminRoute(
  handle: (admin: AdminRequest, request: AuthenticatedMedusaRequest) => Promise<unknown>,
): Route {
  return async function route(request, response) {
    const runtime = await request.scope.resolve<TillkitModule>("tillkit").runtime();
    const language = request.query.language === "fr" ? "fr" : "en";
    const by = request.auth_context?.actor_id ?? "admin";
    try {
      const answer = await handle({ runtime, language, by }, request);
      response.status(answer === null ? 404 : 200).json(answer ?? { message: explainUnknownPayment(language) });
    } catch (error) {
      runtime.log.warn("admin_request.failed", { code: logCodeOf(error) });
      throw toMedusaError(error, language);
    }
  };
}

/** Null: this store has no such payment. */
export async function findPaymentOfStore({ ledger, options }: CheckoutRuntime, id: string): Promise<Payment | null> {
  const payment = await ledger.find({ id });
  return payment?.ref.storeId === options.storeId ? payment : null;
}

/** The result of an action. `error`: why Medusa does not show the payment yet. */
type ActionResult = { readonly error: JobError | null };

/** A route for one payment of this store: runs an action on the payment and answers with the payment's new state. */
export function paymentRoute(
  action: (
    admin: AdminRequest,
    payment: Payment,
    request: AuthenticatedMedusaRequest,
  ) => Promise<ActionResult> | Promise<void>,
): Route {
  return adminRoute(async (admin, request) => {
    const { ledger } = admin.runtime;
    const id = request.params.id ?? "";
    const payment = await findPaymentOfStore(admin.runtime, id);
    if (!payment) return null;
    const result = await action(admin, payment, request);
    const current = (await ledger.find({ id })) ?? payment;
    return { payment: await toPaymentView(admin.runtime, current, admin.language, result ? result.error : null) };
  });
}
