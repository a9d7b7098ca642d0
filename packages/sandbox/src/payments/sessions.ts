import { readCustomer } from "../customers/customer-records.ts";
import { type Delegation, delegatedBy, networkJson } from "../network/delegation.ts";
import { iso } from "../service/clock.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Change, Service } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import { insertRow } from "../storage/statements.ts";
import type { Environment, OrganizationRow, SessionRow } from "../storage/tables.ts";
import { merchantSettings } from "./merchant-settings.ts";
import { methodsFor } from "./methods.ts";
import { type SessionRequest, type SessionTerms, storedTerms, termsOf } from "./session-terms.ts";

/** Whose things a request makes and sees: a merchant's, or with `delegation` a member's, by an Operator. */
export type Owner = { organization: OrganizationRow; environment: Environment; delegation?: Delegation };

/**
 * POST /checkout-sessions, after its body was validated; also the hosted page of a payment request.
 * @throws Refusal `not_found` (customer, product, price, subscription, payment link), `amount_invalid`
 */
export async function openSession(
  change: Change,
  owner: Owner,
  request: SessionRequest,
  paymentRequest?: { id: string; expiresAt: number },
): Promise<SessionRow> {
  await refuseUnknownReferences(change.rows, owner, request);
  const { settings, ids } = change.service;
  const amount = request.amount ?? 0;
  const currency = request.currency_code ?? owner.organization.default_currency;
  if (methodsFor(amount, currency, { ...settings, mute: [] }).length === 0) {
    throw new Refusal("amount_invalid", `This amount is below what any payment method takes in ${currency}`);
  }
  const row: SessionRow = {
    session_id: ids.uuid(),
    code: ids.short("cs"),
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    ...delegatedBy(owner),
    created_by: owner.organization.merchant_id,
    status: "open",
    amount,
    currency_code: currency,
    customer_id: request.customer_id ?? null,
    transaction_id: null,
    payment_request_id: paymentRequest?.id ?? null,
    expires_at: paymentRequest?.expiresAt ?? change.now + settings.sessionTtlSeconds * 1000,
    created_at: change.now,
    updated_at: change.now,
    terms_json: JSON.stringify(termsOf(request, merchantSettings(owner.organization).page)),
  };
  await insertRow(change.rows, "sessions", row);
  change.expect(row.expires_at);
  return row;
}

/** @throws Refusal `not_found`, also for the session of another merchant or environment */
export async function readSession(rows: Rows, sessionId: string, owner?: Owner): Promise<SessionRow> {
  const row = await rows.selectFrom("sessions").selectAll().where("session_id", "=", sessionId).executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Checkout session");
  return row;
}

type Owned = { organization_id: string; environment: Environment; membership_id?: string | null };

export function belongsTo(row: Owned, { organization, environment, delegation }: Owner): boolean {
  if (row.organization_id !== organization.organization_id || row.environment !== environment) return false;
  return delegation?.sees !== "own" || row.membership_id === delegation.membershipId;
}

/** The session as the API shows it. */
export function sessionJson(service: Service, session: SessionRow): Record<string, unknown> {
  const terms = storedTerms(session);
  const url = checkoutUrl(service, session);
  return {
    id: session.session_id,
    checkout_session_id: session.session_id,
    checkout_url: url,
    status: session.status,
    amount: session.amount,
    currency_code: session.currency_code,
    ...visibleTerms(terms),
    customer_id: session.customer_id,
    payment_request_id: session.payment_request_id,
    metadata: terms.metadata,
    environment: session.environment,
    organization_id: session.organization_id,
    created_by: session.created_by,
    expires_at: iso(session.expires_at),
    created_at: iso(session.created_at),
    updated_at: iso(session.updated_at),
    next_action: session.status === "open" ? { type: "redirect", url } : null,
    transaction_id: session.transaction_id,
    ...neverSet,
    ...networkJson(session),
  };
}

/** The read-back of deployments whose read comes from a narrower row. */
export function narrowSessionJson(session: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(session).filter(([name]) => !/^(checkout_url|environment|quantity|allow_.*|require_.*)$/.test(name)),
  );
}

export function checkoutUrl(service: Service, session: SessionRow): string {
  return `${service.addresses.checkoutBaseUrl}/${session.code}`;
}

const neverSet = {
  product_id: null,
  price_id: null,
  subscription_id: null,
  payment_link_id: null,
  installment_plan_id: null,
  is_pos: false,
  is_spi: false,
  spi_account_number: null,
  spi_qr_code_id: null,
  qr_code_type: null,
  qr_code_data: null,
};

function visibleTerms({
  metadata: _,
  fields,
  application_fee_amount,
  ...terms
}: SessionTerms): Record<string, unknown> {
  return {
    ...terms,
    ...(fields === null ? {} : { fields }),
    ...(application_fee_amount === null ? {} : { application_fee_amount }),
  };
}

async function refuseUnknownReferences(rows: Rows, owner: Owner, request: SessionRequest): Promise<void> {
  // There is no catalogue here: an id of one is always unknown.
  if (request.product_id !== undefined) throw notFound("Product");
  if (request.price_id !== undefined || request.line_items !== undefined) throw notFound("Price");
  if (request.subscription_id !== undefined) throw notFound("Subscription");
  if (request.payment_link_id !== undefined) throw notFound("Payment link");
  if (request.customer_id === undefined) return;
  // Any customer of the merchant, also one that an Operator may not read yet.
  const { organization, environment } = owner;
  await readCustomer(rows, request.customer_id, { organization, environment });
}
