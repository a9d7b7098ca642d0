import type { paymentRequestRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { isoTime } from "../domain/clock.ts";
import type { Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { PaymentRequestRow } from "../storage/money-tables.ts";
import type { SessionRow } from "../storage/payment-tables.ts";
import type { SessionRequest } from "./session-details.ts";
import { checkoutUrl, createSession } from "./sessions.ts";

type PaymentRequestRequest = z.output<typeof paymentRequestRequestSchema>;

/**
 * Creates a payment request for POST /payment-requests. Its hosted page is the page of a checkout session with the same
 * expiry, so payment, expiry and events work as for any session.
 * @throws ApiError `not_found` (customer), `amount_invalid`
 */
export async function createPaymentRequest(
  context: WriteContext,
  owner: Owner,
  request: PaymentRequestRequest,
): Promise<Record<string, unknown>> {
  const { ids } = context.service;
  const id = ids.uuid();
  const { amount, currency_code, customer_id, description, payment_reference, metadata = {} } = request;
  const sessionRequest: SessionRequest = {
    amount,
    currency_code,
    customer_id,
    description,
    metadata: { ...metadata, payment_request_id: id },
  };
  const expiresAt = Date.parse(request.expiry_date);
  const session = await createSession(context, owner, sessionRequest, { id, expiresAt });
  const row: PaymentRequestRow = {
    request_id: id,
    session_id: session.session_id,
    organization_id: session.organization_id,
    environment: session.environment,
    created_by: session.created_by,
    amount,
    currency_code,
    customer_id: session.customer_id,
    description: description ?? null,
    payment_reference: payment_reference ?? null,
    metadata_json: JSON.stringify(metadata),
    created_at: context.now,
  };
  await context.database.insertInto("payment_requests").values(row).execute();
  return paymentRequestJson(row, session, checkoutUrl(context.service, session));
}

function paymentRequestJson(row: PaymentRequestRow, session: SessionRow, link: string): Record<string, unknown> {
  return {
    request_id: row.request_id,
    amount: row.amount,
    currency_code: row.currency_code,
    customer_id: row.customer_id,
    description: row.description,
    payment_reference: row.payment_reference,
    payment_link: link,
    expiry_date: isoTime(session.expires_at),
    status: session.status === "open" ? "pending" : session.status,
    metadata: JSON.parse(row.metadata_json),
    organization_id: row.organization_id,
    created_by: row.created_by,
    environment: row.environment,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(session.updated_at),
    spi_account_number: null,
    spi_qr_code_id: null,
  };
}
