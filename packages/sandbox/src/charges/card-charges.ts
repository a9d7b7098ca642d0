import type { cardChargeRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { readCustomer } from "../customers/customer-records.ts";
import { delegatedBy } from "../network/delegation.ts";
import { attachCustomer } from "../payments/customers.ts";
import { codesOf } from "../payments/methods.ts";
import { belongsTo, type Owner } from "../payments/sessions.ts";
import { createTransaction, readTransaction } from "../payments/transactions.ts";
import type { Currency, Exponents } from "../service/currencies.ts";
import { notFound } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { readSubscription } from "../subscriptions/subscriptions.ts";
import { refuseBelowMinimum, refuseMuted, refuseUnconnected } from "./rails.ts";

type CardRequest = z.output<typeof cardChargeRequestSchema>;
export type CardCharge = { charge: ChargeRow; transaction: TransactionRow };

type CardTerms = {
  client_secret: string;
  /** What the card pays, perhaps in another currency than the transaction's. */
  amount: number;
  currency: Currency;
  appearance: Record<string, unknown>;
};

/**
 * POST /charge/card, after its body was validated: a pending transaction that waits for a card.
 * @throws Refusal `service_unavailable`, `bad_request`, `amount_invalid`, `not_found` (customer, product, subscription)
 */
export async function chargeCard(change: Change, owner: Owner, request: CardRequest): Promise<CardCharge> {
  const { settings, ids } = change.service;
  const currency = request.currency_code ?? request.currency ?? owner.organization.default_currency;
  refuseMuted("card", settings);
  refuseUnconnected("card", owner.organization);
  refuseBelowMinimum("card", request.amount, currency, settings);
  const transaction = await createTransaction(change, {
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    ...delegatedBy(owner),
    customer_id: await customerOf(change, owner, request),
    subscription_id: await subscriptionOf(change.rows, owner, request),
    ...codesOf.card,
    description: request.description ?? null,
    quantity: request.quantity ?? 1,
    gross_amount: request.amount,
    currency_code: currency,
    metadata_json: JSON.stringify(metadataOf(request)),
  });
  const id = ids.short("pi");
  const terms: CardTerms = {
    client_secret: `${id}_secret_${ids.uuid().replaceAll("-", "")}`,
    ...charged(request.amount, currency, settings.amountExponents),
    appearance: appearanceOf(request),
  };
  const charge: ChargeRow = {
    charge_id: id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    ...delegatedBy(owner),
    rail: "card",
    transaction_id: transaction.transaction_id,
    terms_json: JSON.stringify(terms),
    created_at: change.now,
  };
  await change.rows.insertInto("charges").values(charge).execute();
  return { charge, transaction };
}

/** @throws Refusal `not_found`, also for the charge of another merchant or environment */
export async function readCardCharge(rows: Rows, chargeId: string, owner?: Owner): Promise<CardCharge> {
  const charge = await rows
    .selectFrom("charges")
    .selectAll()
    .where("charge_id", "=", chargeId)
    .where("rail", "=", "card")
    .executeTakeFirst();
  if (charge === undefined || (owner !== undefined && !belongsTo(charge, owner))) throw notFound("Card charge");
  return { charge, transaction: await readTransaction(rows, charge.transaction_id) };
}

/** The charge as the API shows it; its status is what became of its newest attempt. */
export function cardChargeJson({ charge, transaction }: CardCharge): Record<string, unknown> {
  const { client_secret, amount, currency, appearance }: CardTerms = JSON.parse(charge.terms_json);
  const status = statusOf(transaction);
  const open = status === "requires_payment_method" || status === "requires_action";
  return {
    success: true,
    data: {
      id: charge.charge_id,
      client_secret,
      amount,
      currency: currency.toLowerCase(),
      original_amount: transaction.gross_amount,
      original_currency: transaction.currency_code,
      status,
      appearance,
      transaction_id: transaction.transaction_id,
    },
    next_action: open ? { type: "client_secret", client_secret } : null,
  };
}

function statusOf({ status, waits_for }: TransactionRow): string {
  if (status === "completed" || status === "refunded") return "succeeded";
  if (status === "pending" && waits_for === "challenge") return "requires_action";
  if (status === "pending" || status === "failed") return "requires_payment_method";
  return status === "held" ? "processing" : "canceled";
}

/** Cards are charged in euros where the currency is the franc, at its fixed rate; the rounding is the bank's. */
function charged(amount: number, currency: Currency, exponents: Exponents): Pick<CardTerms, "amount" | "currency"> {
  if (currency !== "XOF") return { amount, currency };
  const euros = amount / 10 ** exponents.XOF / francsPerEuro;
  return { amount: Math.max(1, Math.round(euros * 10 ** exponents.EUR)), currency: "EUR" };
}

const francsPerEuro = 655.957;

async function customerOf(change: Change, { organization, environment }: Owner, request: CardRequest): Promise<string> {
  const { customer_id, customer_name = null, customer_email = null, customer_phone = null } = request;
  if (customer_id !== undefined) {
    // Any customer of the merchant, also one that an Operator may not read yet.
    return (await readCustomer(change.rows, customer_id, { organization, environment })).customer_id;
  }
  const purse = { organization_id: organization.organization_id, environment };
  const payer = { name: customer_name, email: customer_email, phone: customer_phone, address: {} };
  return attachCustomer(change, { ...purse, customer_id: null }, payer);
}

async function subscriptionOf(rows: Rows, owner: Owner, request: CardRequest): Promise<string | null> {
  // There is no catalogue here: a product is always unknown.
  if (request.product_id !== undefined) throw notFound("Product");
  if (request.subscription_id === undefined) return null;
  return (await readSubscription(rows, request.subscription_id, owner)).subscription_id;
}

function metadataOf({ metadata = {}, payment_reference }: CardRequest): Record<string, unknown> {
  return payment_reference === undefined ? metadata : { ...metadata, payment_reference };
}

function appearanceOf(request: CardRequest): Record<string, unknown> {
  return {
    theme: request.appearance_theme ?? "light",
    ...(request.appearance_border_radius === undefined ? {} : { border_radius: request.appearance_border_radius }),
    ...(request.appearance_billing_address === undefined
      ? {}
      : { billing_address: request.appearance_billing_address }),
  };
}
