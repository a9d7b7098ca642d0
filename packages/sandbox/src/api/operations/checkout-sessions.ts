import { checkoutSessionRequestSchema } from "@tillkit/client/schemas";
import { readCustomer } from "../../customers/read-customers.ts";
import { ApiError } from "../../domain/api-error.ts";
import { validate } from "../../http/validate.ts";
import { type BlockingInvoice, readMerchantSettings } from "../../organizations/merchant-settings.ts";
import { withoutDelegation } from "../../organizations/owner.ts";
import { readSessionAsCreator } from "../../payments/operator-sessions.ts";
import { createSession, readSessionJson, sessionJson } from "../../payments/sessions.ts";
import { readLastFailedTransaction } from "../../payments/transactions.ts";
import type { Service } from "../../runtime/service.ts";
import { staleRow } from "../../runtime/stale-reads.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import type { SessionRow } from "../../storage/payment-tables.ts";
import { checkNamedSubscription } from "../../subscriptions/subscriptions.ts";
import { type Operation, readOperation, writeOperation } from "./operation.ts";

/** POST /checkout-sessions */
export const postCheckoutSession: Operation = writeOperation({
  validate: ({ body }) => validate(checkoutSessionRequestSchema, body),
  async perform({ service, caller }, request, context) {
    const { blocking_invoice } = readMerchantSettings(caller.organization);
    if (
      blocking_invoice !== null &&
      request.customer_id?.toLowerCase() === blocking_invoice.customer_id.toLowerCase()
    ) {
      // An unknown customer is still a 404, as for a session without a blocking invoice.
      await readCustomer(context.database, blocking_invoice.customer_id, withoutDelegation(caller));
      return { status: 201, body: blockingInvoiceJson(blocking_invoice) };
    }
    const subscriptionId = await checkNamedSubscription(context.database, caller, request.subscription_id);
    const session = await createSession(context, caller, {
      ...request,
      ...(subscriptionId && { subscription_id: subscriptionId }),
    });
    return { status: 201, body: sessionJson(service, session) };
  },
});

/** GET /checkout-sessions/{id} */
export const getCheckoutSession: Operation = readOperation(async ({ service, caller, params }, database) => {
  const session = await readSessionAsCreator(database, parseSessionId(params), caller);
  const visibleSession = staleRow(service, service.rowHistory.sessions, session.session_id, session);
  return { status: 200, body: await sessionResponseJson(service, database, visibleSession) };
});

/** The response when the customer must pay an invoice first. It has neither a session id nor a checkout_url. */
function blockingInvoiceJson({ customer_id: _, ...blocking_invoice }: BlockingInvoice): Record<string, unknown> {
  return { payment_required: true, reason: "invoice_payment_required", blocking_invoice };
}

async function sessionResponseJson(
  service: Service,
  database: SandboxDatabase,
  session: SessionRow,
): Promise<Record<string, unknown>> {
  const declined = service.settings.reportsDeclinedAttempt
    ? await readLastFailedTransaction(database, session.session_id)
    : undefined;
  const json = { ...sessionJson(service, session), ...(declined && { transaction_id: declined.transaction_id }) };
  return readSessionJson(json, service.settings);
}

function parseSessionId({ id = "" }: Record<string, string>): string {
  if (id === "{CHECKOUT_SESSION_ID}") {
    throw new ApiError(
      "bad_request",
      "{CHECKOUT_SESSION_ID} is the placeholder of success_url: it was not replaced by the id of a checkout session",
    );
  }
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw new ApiError("bad_request", "The id of a checkout session is a UUID");
  }
  return id.toLowerCase();
}
