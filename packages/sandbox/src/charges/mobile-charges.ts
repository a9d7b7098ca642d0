import type { mtnChargeRequestSchema, waveChargeRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { attachCustomer } from "../customers/attach-customer.ts";
import { ApiError, notFound } from "../domain/api-error.ts";
import { methodCodes } from "../domain/payment-methods.ts";
import { delegationColumns, type Owner } from "../organizations/owner.ts";
import { completeTransaction } from "../payments/payment-outcomes.ts";
import { createTransaction } from "../payments/transactions.ts";
import type { Service, WriteContext } from "../runtime/service.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { checkNamedSubscription } from "../subscriptions/subscriptions.ts";
import { assertMethodNotMuted, assertMinimumAmount, assertProviderConnected } from "./charge-checks.ts";

type WaveRequest = z.output<typeof waveChargeRequestSchema>;
type MtnRequest = z.output<typeof mtnChargeRequestSchema>;
export type Scenario = "pending" | "failed" | null;

/** Where the Wave page sends the shopper after the payment. */
export type WaveChargeDetails = { successUrl: string | null; errorUrl: string | null };

/** Base path of the page that simulates the Wave app. */
export const wavePath = "/wave";

/** POST /charge/wave, after its body was validated. */
export async function chargeWave(
  context: WriteContext,
  owner: Owner,
  request: WaveRequest,
  scenario: Scenario,
): Promise<{ charge: ChargeRow; transaction: TransactionRow }> {
  const transaction = await chargeMobileMoney(context, owner, "wave", request, scenario);
  const details: WaveChargeDetails = { successUrl: request.successUrl ?? null, errorUrl: request.errorUrl ?? null };
  const charge: ChargeRow = {
    charge_id: context.service.ids.prefixed("wv"),
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    ...delegationColumns(owner),
    rail: "wave",
    transaction_id: transaction.transaction_id,
    details_json: JSON.stringify(details),
    created_at: context.now,
  };
  await context.database.insertInto("charges").values(charge).execute();
  return { charge, transaction };
}

/** POST /charge/mtn, after its body was validated. */
export async function chargeMtn(
  context: WriteContext,
  owner: Owner,
  request: MtnRequest,
  scenario: Scenario,
): Promise<TransactionRow> {
  // The sandbox has no catalogue, so every product is unknown.
  if (request.productId !== undefined) throw notFound("Product");
  return chargeMobileMoney(context, owner, "mtn", request, scenario);
}

/** The page that `wave_launch_url` opens. */
export function wavePageUrl({ addresses }: Service, { charge_id }: ChargeRow): string {
  return `${addresses.baseUrl}${wavePath}/${charge_id}`;
}

/**
 * A test charge completes at once. A live charge, or a test charge with the scenario `pending`, is pending until the control API
 * or the Wave page completes or fails it.
 */
async function chargeMobileMoney(
  context: WriteContext,
  owner: Owner,
  method: "wave" | "mtn",
  request: MtnRequest,
  scenario: Scenario,
): Promise<TransactionRow> {
  const { settings } = context.service;
  assertMethodNotMuted(method, settings);
  assertProviderConnected(method, owner.organization);
  assertMinimumAmount(method, request.amount, request.currency, settings);
  if (scenario === "failed") throw new ApiError("bad_request", "The charge failed, as X-Scenario-Key asked for");
  const { customer } = request;
  const ownerColumns = { organization_id: owner.organization.organization_id, environment: owner.environment };
  const payer = { name: customer.name, email: customer.email ?? null, phone: customer.phoneNumber, address: {} };
  const transaction = await createTransaction(context, {
    ...ownerColumns,
    ...delegationColumns(owner),
    customer_id: await attachCustomer(context, { ...ownerColumns, customer_id: null }, payer),
    subscription_id: await checkNamedSubscription(context.database, owner, request.subscriptionId),
    ...methodCodes[method],
    description: request.description ?? null,
    quantity: request.quantity ?? 1,
    gross_amount: request.amount,
    currency_code: request.currency,
    metadata_json: JSON.stringify(request.metadata ?? {}),
    awaits: "approval",
    last_digits: customer.phoneNumber.slice(-4),
  });
  const isPending = owner.environment === "live" || scenario === "pending";
  return isPending ? transaction : completeTransaction(context, transaction);
}
