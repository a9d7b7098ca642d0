import { readCustomer } from "../customers/read-customers.ts";
import { ApiError, notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { methodsForAmount } from "../domain/payment-methods.ts";
import type { Settings } from "../domain/settings.ts";
import { readMerchantSettings } from "../organizations/merchant-settings.ts";
import { belongsTo, delegationColumns, networkField, type Owner, withoutDelegation } from "../organizations/owner.ts";
import type { Service, WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/payment-tables.ts";
import { insertRow } from "../storage/statements.ts";
import {
  buildSessionDetails,
  readSessionDetails,
  type SessionDetails,
  type SessionRequest,
} from "./session-details.ts";

/**
 * Creates a session for POST /checkout-sessions or for the hosted page of a payment request.
 * The caller has already checked that the subscription in the request exists.
 * @throws ApiError `not_found` (customer, product, price, payment link), `amount_invalid`
 */
export async function createSession(
  context: WriteContext,
  owner: Owner,
  request: SessionRequest,
  paymentRequest?: { id: string; expiresAt: number },
): Promise<SessionRow> {
  await assertReferencesExist(context.database, owner, request);
  const { settings, ids } = context.service;
  const amount = request.amount ?? 0;
  const currency = request.currency_code ?? owner.organization.default_currency;
  if (methodsForAmount(amount, currency, { ...settings, mute: [] }).length === 0) {
    throw new ApiError("amount_invalid", `This amount is below the minimum of every payment method in ${currency}`);
  }
  const row: SessionRow = {
    session_id: ids.uuid(),
    code: ids.prefixed("cs"),
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    ...delegationColumns(owner),
    created_by: owner.organization.merchant_id,
    status: "open",
    amount,
    currency_code: currency,
    customer_id: request.customer_id ?? null,
    transaction_id: null,
    payment_request_id: paymentRequest?.id ?? null,
    expires_at: paymentRequest?.expiresAt ?? context.now + settings.sessionTtlSeconds * 1000,
    created_at: context.now,
    updated_at: context.now,
    details_json: JSON.stringify(buildSessionDetails(request, readMerchantSettings(owner.organization).page)),
  };
  await insertRow(context.database, "sessions", row);
  context.scheduleAt(row.expires_at);
  return row;
}

/** By UUID or by `cs_…`. @throws ApiError `not_found`, also for the session of another merchant or environment */
export async function readSession(database: SandboxDatabase, id: string, owner?: Owner): Promise<SessionRow> {
  const sessions = database.selectFrom("sessions").selectAll();
  const row = id.startsWith("cs_")
    ? await sessions.where("code", "=", id).executeTakeFirst()
    : await sessions.where("session_id", "=", id.toLowerCase()).executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Checkout session");
  return row;
}

/** The session as the API returns it. */
export function sessionJson(service: Service, session: SessionRow): Record<string, unknown> {
  const details = readSessionDetails(session);
  const url = checkoutUrl(service, session);
  return {
    id: session.session_id,
    checkout_session_id: session.session_id,
    checkout_url: url,
    status: session.status,
    amount: session.amount,
    currency_code: session.currency_code,
    ...visibleDetails(details),
    customer_id: session.customer_id,
    payment_request_id: session.payment_request_id,
    metadata: details.metadata,
    environment: session.environment,
    organization_id: session.organization_id,
    created_by: session.created_by,
    expires_at: isoTime(session.expires_at),
    created_at: isoTime(session.created_at),
    updated_at: isoTime(session.updated_at),
    next_action: session.status === "open" ? { type: "redirect", url } : null,
    transaction_id: session.transaction_id,
    ...unsupportedFields,
    ...networkField(session),
  };
}

/** The session with the fields that reads return under the setting `narrowReads`. */
export function readSessionJson(
  session: Record<string, unknown>,
  { narrowReads }: Pick<Settings, "narrowReads">,
): Record<string, unknown> {
  if (narrowReads === false) return session;
  const { transaction_id, ...narrow } = Object.fromEntries(
    Object.entries(session).filter(([name]) => !/^(checkout_url|environment|quantity|allow_.*|require_.*)$/.test(name)),
  );
  return narrowReads === "bare" ? narrow : { ...narrow, transaction_id };
}

export function checkoutUrl(service: Service, session: SessionRow): string {
  return `${service.addresses.checkoutBaseUrl}/${session.code}`;
}

/** The fields of features that the sandbox does not have. */
const unsupportedFields = {
  product_id: null,
  price_id: null,
  payment_link_id: null,
  installment_plan_id: null,
  is_pos: false,
  is_spi: false,
  spi_account_number: null,
  spi_qr_code_id: null,
  qr_code_type: null,
  qr_code_data: null,
};

/** The details that the API returns between other fields. `fields` and `application_fee_amount` are omitted when they are not set. */
function visibleDetails(details: SessionDetails): Record<string, unknown> {
  const { metadata: _, fields, application_fee_amount, ...rest } = details;
  const visible: Record<string, unknown> = rest;
  if (fields !== null) visible.fields = fields;
  if (application_fee_amount !== null) visible.application_fee_amount = application_fee_amount;
  return visible;
}

async function assertReferencesExist(database: SandboxDatabase, owner: Owner, request: SessionRequest): Promise<void> {
  // The sandbox has no catalogue, so every id of a catalogue resource is unknown.
  if (request.product_id !== undefined) throw notFound("Product");
  if (request.price_id !== undefined || request.line_items !== undefined) throw notFound("Price");
  if (request.payment_link_id !== undefined) throw notFound("Payment link");
  if (request.customer_id === undefined) return;
  await readCustomer(database, request.customer_id, withoutDelegation(owner));
}
