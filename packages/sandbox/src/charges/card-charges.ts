import type { cardChargeRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { attachCustomer } from "../customers/attach-customer.ts";
import { readCustomer } from "../customers/read-customers.ts";
import { notFound } from "../domain/api-error.ts";
import type { Currency, Exponents } from "../domain/currencies.ts";
import { methodCodes } from "../domain/payment-methods.ts";
import { belongsTo, delegationColumns, type Owner, withoutDelegation } from "../organizations/owner.ts";
import { createTransaction, readTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { checkNamedSubscription } from "../subscriptions/subscriptions.ts";
import type { CardCharge, CardChargeDetails } from "./card-charge-json.ts";
import { assertMethodNotMuted, assertMinimumAmount, assertProviderConnected } from "./charge-checks.ts";

type CardRequest = z.output<typeof cardChargeRequestSchema>;

/**
 * POST /charge/card, after its body was validated: creates a pending transaction that needs a card.
 * @throws ApiError `service_unavailable`, `bad_request`, `amount_invalid`, `not_found` (customer, product, subscription)
 */
export async function chargeCard(context: WriteContext, owner: Owner, request: CardRequest): Promise<CardCharge> {
  const { settings, ids } = context.service;
  const currency = request.currency_code ?? request.currency ?? owner.organization.default_currency;
  assertMethodNotMuted("card", settings);
  assertProviderConnected("card", owner.organization);
  assertMinimumAmount("card", request.amount, currency, settings);
  // The sandbox has no catalogue, so every product is unknown.
  if (request.product_id !== undefined) throw notFound("Product");
  const transaction = await createTransaction(context, {
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    ...delegationColumns(owner),
    customer_id: await customerOf(context, owner, request),
    subscription_id: await checkNamedSubscription(context.database, owner, request.subscription_id),
    ...methodCodes.card,
    description: request.description ?? null,
    quantity: request.quantity ?? 1,
    gross_amount: request.amount,
    currency_code: currency,
    metadata_json: JSON.stringify(metadataOf(request)),
  });
  const id = ids.prefixed("pi");
  const details: CardChargeDetails = {
    client_secret: `${id}_secret_${ids.uuid().replaceAll("-", "")}`,
    ...chargedAmount(request.amount, currency, settings.amountExponents),
    appearance: appearanceOf(request),
  };
  const charge: ChargeRow = {
    charge_id: id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    ...delegationColumns(owner),
    rail: "card",
    transaction_id: transaction.transaction_id,
    details_json: JSON.stringify(details),
    created_at: context.now,
  };
  await context.database.insertInto("charges").values(charge).execute();
  return { charge, transaction };
}

/** @throws ApiError `not_found`, also for the charge of another merchant or environment */
export async function readCardCharge(database: SandboxDatabase, chargeId: string, owner?: Owner): Promise<CardCharge> {
  const charge = await database
    .selectFrom("charges")
    .selectAll()
    .where("charge_id", "=", chargeId)
    .where("rail", "=", "card")
    .executeTakeFirst();
  if (charge === undefined || (owner !== undefined && !belongsTo(charge, owner))) throw notFound("Card charge");
  return { charge, transaction: await readTransaction(database, charge.transaction_id) };
}

/** Charges in francs are converted to euros at the fixed rate, with commercial rounding. */
function chargedAmount(
  amount: number,
  currency: Currency,
  exponents: Exponents,
): Pick<CardChargeDetails, "amount" | "currency"> {
  if (currency !== "XOF") return { amount, currency };
  const euros = amount / 10 ** exponents.XOF / francsPerEuro;
  // Even one franc is charged as one cent.
  return { amount: Math.max(1, Math.round(euros * 10 ** exponents.EUR)), currency: "EUR" };
}

const francsPerEuro = 655.957;

async function customerOf(context: WriteContext, owner: Owner, request: CardRequest): Promise<string> {
  const { customer_id, customer_name = null, customer_email = null, customer_phone = null } = request;
  if (customer_id !== undefined) {
    return (await readCustomer(context.database, customer_id, withoutDelegation(owner))).customer_id;
  }
  const ownerColumns = { organization_id: owner.organization.organization_id, environment: owner.environment };
  const payer = { name: customer_name, email: customer_email, phone: customer_phone, address: {} };
  return attachCustomer(context, { ...ownerColumns, customer_id: null }, payer);
}

function metadataOf({ metadata = {}, payment_reference }: CardRequest): Record<string, unknown> {
  return payment_reference === undefined ? metadata : { ...metadata, payment_reference };
}

function appearanceOf(request: CardRequest): Record<string, unknown> {
  const { appearance_theme = "light", appearance_border_radius, appearance_billing_address } = request;
  const appearance: Record<string, unknown> = { theme: appearance_theme };
  if (appearance_border_radius !== undefined) appearance.border_radius = appearance_border_radius;
  if (appearance_billing_address !== undefined) appearance.billing_address = appearance_billing_address;
  return appearance;
}
