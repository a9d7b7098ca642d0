import type { mtnChargeRequestSchema, waveChargeRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { delegatedBy } from "../network/delegation.ts";
import { attachCustomer } from "../payments/customers.ts";
import { codesOf } from "../payments/methods.ts";
import type { Owner } from "../payments/sessions.ts";
import { completeTransaction, createTransaction } from "../payments/transactions.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Change, Service } from "../service/service.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { readSubscription } from "../subscriptions/subscriptions.ts";
import { refuseBelowMinimum, refuseMuted, refuseUnconnected } from "./rails.ts";

type WaveRequest = z.output<typeof waveChargeRequestSchema>;
type MtnRequest = z.output<typeof mtnChargeRequestSchema>;
export type Scenario = "pending" | "failed" | null;

/** Where the customer's browser goes after the page of Wave. */
export type WaveTerms = { successUrl: string | null; errorUrl: string | null };

/** Stands for the app of Wave. */
export const wavePath = "/wave";

/** POST /charge/wave, after its body was validated. */
export async function chargeWave(
  change: Change,
  owner: Owner,
  request: WaveRequest,
  scenario: Scenario,
): Promise<{ charge: ChargeRow; transaction: TransactionRow }> {
  const transaction = await chargePhone(change, owner, "wave", request, scenario);
  const terms: WaveTerms = { successUrl: request.successUrl ?? null, errorUrl: request.errorUrl ?? null };
  const charge: ChargeRow = {
    charge_id: change.service.ids.short("wv"),
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    ...delegatedBy(owner),
    rail: "wave",
    transaction_id: transaction.transaction_id,
    terms_json: JSON.stringify(terms),
    created_at: change.now,
  };
  await change.rows.insertInto("charges").values(charge).execute();
  return { charge, transaction };
}

/** POST /charge/mtn, after its body was validated. */
export async function chargeMtn(
  change: Change,
  owner: Owner,
  request: MtnRequest,
  scenario: Scenario,
): Promise<TransactionRow> {
  // There is no catalogue here: a product is always unknown.
  if (request.productId !== undefined) throw notFound("Product");
  if (request.subscriptionId !== undefined) await readSubscription(change.rows, request.subscriptionId, owner);
  return chargePhone(change, owner, "mtn", request, scenario);
}

/** The page that `wave_launch_url` opens. */
export function wavePageUrl({ addresses }: Service, { charge_id }: ChargeRow): string {
  return `${addresses.baseUrl}${wavePath}/${charge_id}`;
}

/**
 * In the test environment the customer has approved before anybody asked; in the live one the control API, or the page
 * of Wave, does it for him.
 */
async function chargePhone(
  change: Change,
  owner: Owner,
  rail: "wave" | "mtn",
  request: MtnRequest,
  scenario: Scenario,
): Promise<TransactionRow> {
  const { settings } = change.service;
  refuseMuted(rail, settings);
  refuseUnconnected(rail, owner.organization);
  refuseBelowMinimum(rail, request.amount, request.currency, settings);
  if (scenario === "failed") throw new Refusal("bad_request", "The charge failed, as X-Scenario-Key asked for");
  const { customer } = request;
  const purse = { organization_id: owner.organization.organization_id, environment: owner.environment };
  const payer = { name: customer.name, email: customer.email ?? null, phone: customer.phoneNumber, address: {} };
  const transaction = await createTransaction(change, {
    ...purse,
    ...delegatedBy(owner),
    customer_id: await attachCustomer(change, { ...purse, customer_id: null }, payer),
    subscription_id: request.subscriptionId?.toLowerCase() ?? null,
    ...codesOf[rail],
    description: request.description ?? null,
    quantity: request.quantity ?? 1,
    gross_amount: request.amount,
    currency_code: request.currency,
    metadata_json: JSON.stringify(request.metadata ?? {}),
    waits_for: "approval",
    last_digits: customer.phoneNumber.slice(-4),
  });
  const waits = owner.environment === "live" || scenario === "pending";
  return waits ? transaction : completeTransaction(change, transaction);
}
