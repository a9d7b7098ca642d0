import { checkoutSessionRequestSchema } from "@tillkit/client/schemas";
import { readCustomer } from "../customers/customer-records.ts";
import { readSessionAsMaker } from "../network/operator-sessions.ts";
import { type BlockingInvoice, merchantSettings } from "../payments/merchant-settings.ts";
import { narrowSessionJson, openSession, sessionJson } from "../payments/sessions.ts";
import { lastFailedTransaction } from "../payments/transactions.ts";
import { Refusal } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import { staleRow } from "../service/stale-reads.ts";
import type { Rows } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/tables.ts";
import { type Operation, reading, writing } from "./operation.ts";
import { validated } from "./validated.ts";

/** POST /checkout-sessions */
export const createCheckoutSession: Operation = writing({
  validate: ({ body }) => validated(checkoutSessionRequestSchema, body),
  async change({ service, caller }, request, change) {
    const { blocking_invoice } = merchantSettings(caller.organization);
    if (
      blocking_invoice !== null &&
      request.customer_id?.toLowerCase() === blocking_invoice.customer_id.toLowerCase()
    ) {
      // A customer that is gone, or of the other environment, is not found as ever.
      const { organization, environment } = caller;
      await readCustomer(change.rows, blocking_invoice.customer_id, { organization, environment });
      return { status: 201, body: invoiceFirst(blocking_invoice) };
    }
    return { status: 201, body: sessionJson(service, await openSession(change, caller, request)) };
  },
});

/** GET /checkout-sessions/{id} */
export const readCheckoutSession: Operation = reading(async ({ service, caller, params }, rows) => {
  const session = await readSessionAsMaker(rows, sessionIdIn(params), caller);
  const shown = staleRow(service, service.earlier.sessions, session.session_id, session);
  return { status: 200, body: await readBack(service, rows, shown) };
});

/** In place of a session: it has neither an id nor an address to pay at. */
function invoiceFirst({ customer_id: _, ...blocking_invoice }: BlockingInvoice): Record<string, unknown> {
  return { payment_required: true, reason: "invoice_payment_required", blocking_invoice };
}

async function readBack(service: Service, rows: Rows, session: SessionRow): Promise<Record<string, unknown>> {
  const declined = service.settings.namesDeclined ? await lastFailedTransaction(rows, session.session_id) : undefined;
  const json = { ...sessionJson(service, session), ...(declined && { transaction_id: declined.transaction_id }) };
  return service.settings.narrowReads ? narrowSessionJson(json) : json;
}

function sessionIdIn({ id = "" }: Record<string, string>): string {
  if (id === "{CHECKOUT_SESSION_ID}") {
    throw new Refusal(
      "bad_request",
      "{CHECKOUT_SESSION_ID} is the placeholder of success_url: it was not replaced by the id of a checkout session",
    );
  }
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw new Refusal("bad_request", "The id of a checkout session is a UUID");
  }
  return id.toLowerCase();
}
