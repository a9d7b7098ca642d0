import type { payoutRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { ApiError, conflict, notFound } from "../domain/api-error.ts";
import { belongsTo, type Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { PayoutRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { moveFunds, readFunds } from "./balances.ts";

export type PayoutRequest = z.output<typeof payoutRequestSchema>;

/**
 * @throws ApiError `bad_request` for a mobile rail with a test key, `amount_invalid` above the available balance
 */
export async function assertPayoutAllowed(context: WriteContext, owner: Owner, request: PayoutRequest): Promise<void> {
  const { settings } = context.service;
  const isMobile = request.rail === "wave" || request.rail === "mtn";
  if (isMobile && owner.environment === "test" && !settings.payouts.allowTestMobile) {
    throw new ApiError("bad_request", `Test keys cannot pay out by ${request.rail}: use the rail bank`);
  }
  const { available } = await readFunds(context.database, balanceKey(owner, request));
  if (request.amount > available) {
    throw new ApiError("amount_invalid", `The available balance is ${available} ${request.currency_code}`);
  }
}

/** Debits the balance at once. The payout is pending until the control API completes or fails it. */
export async function createPayout(context: WriteContext, owner: Owner, request: PayoutRequest): Promise<PayoutRow> {
  const row: PayoutRow = {
    payout_id: context.service.ids.uuid(),
    ...balanceKey(owner, request),
    kind: request.destination === "self" ? "withdrawal" : "beneficiary",
    rail: request.rail,
    amount: request.amount,
    payout_method_id: request.payout_method_id ?? null,
    recipient_json: request.recipient === undefined ? null : JSON.stringify(request.recipient),
    reason: request.reason ?? null,
    status: "pending",
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("payouts").values(row).execute();
  await moveFunds(context, row, { available: -row.amount });
  return row;
}

/**
 * pending → completed, or pending → failed. A failed payout is credited back to the balance.
 * @throws ApiError `not_found`, `conflict`
 */
export async function finishPayout(
  context: WriteContext,
  payoutId: string,
  status: "completed" | "failed",
): Promise<PayoutRow> {
  const payout = await readPayout(context.database, payoutId);
  if (payout.status !== "pending") {
    const details = { payout_id: payout.payout_id, status: payout.status };
    throw conflict(`A payout that is ${payout.status} cannot become ${status}`, details);
  }
  const update = { status, updated_at: context.now };
  await context.database.updateTable("payouts").set(update).where("payout_id", "=", payout.payout_id).execute();
  if (status === "failed") await moveFunds(context, payout, { available: payout.amount });
  return { ...payout, ...update };
}

/** @throws ApiError `not_found`, also for the payout of another merchant or environment */
export async function readPayout(database: SandboxDatabase, payoutId: string, owner?: Owner): Promise<PayoutRow> {
  const row = await database
    .selectFrom("payouts")
    .selectAll()
    .where("payout_id", "=", payoutId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Payout");
  return row;
}

/** The payout as the API returns it. */
export function payoutJson({ payout_id, kind, status }: PayoutRow): Record<string, unknown> {
  return { success: true, payout_id, kind, status, message: `Payout ${status}.` };
}

function balanceKey({ organization, environment }: Owner, { currency_code }: PayoutRequest) {
  return { organization_id: organization.organization_id, environment, currency_code };
}
