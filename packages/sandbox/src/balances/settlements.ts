import type { instantSettlementRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { ApiError } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { calculateFee } from "../domain/fees.ts";
import type { Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SettlementRow } from "../storage/money-tables.ts";
import { moveFunds, readFunds } from "./balances.ts";
import { readPayout } from "./payouts.ts";

export type SettlementRequest = z.output<typeof instantSettlementRequestSchema>;

/** The fee of an instant settlement, in basis points of the amount. */
const instantFeeBps = 100;

/**
 * The mode `advance` needs held card funds. The mode `rail` needs a payout that has not failed and has no settlement yet.
 * @throws ApiError `bad_request`, `not_found`
 */
export async function assertSettlementAllowed(
  context: WriteContext,
  owner: Owner,
  request: SettlementRequest,
): Promise<void> {
  if (request.mode === "advance") return assertAdvanceAllowed(context, owner, request);
  const payout = await readPayout(context.database, request.payout_id ?? "", owner);
  const isCovered = payout.currency_code === request.currency_code && request.amount <= payout.amount;
  if (payout.status === "failed" || !isCovered) throw notEligible("the payout does not cover this amount");
  const earlier = await context.database
    .selectFrom("settlements")
    .select("settlement_id")
    .where("payout_id", "=", payout.payout_id)
    .executeTakeFirst();
  if (earlier !== undefined) throw notEligible("the payout already has an instant settlement");
}

/** The mode `advance` makes held funds available, less the fee. In the mode `rail` the fee is part of the payout: no funds move. */
export async function createSettlement(
  context: WriteContext,
  owner: Owner,
  request: SettlementRequest,
): Promise<SettlementRow> {
  const { amount } = request;
  const row: SettlementRow = {
    settlement_id: context.service.ids.uuid(),
    ...balanceKey(owner, request),
    mode: request.mode,
    amount,
    fee_amount: calculateFee(amount, instantFeeBps),
    payout_id: request.mode === "rail" ? (request.payout_id?.toLowerCase() ?? null) : null,
    created_at: context.now,
  };
  await context.database.insertInto("settlements").values(row).execute();
  if (row.mode === "advance") await moveFunds(context, row, { available: amount - row.fee_amount, held: -amount });
  return row;
}

/** The settlement as the API returns it. */
export function settlementJson(row: SettlementRow): Record<string, unknown> {
  return {
    instant_settlement_id: row.settlement_id,
    mode: row.mode,
    amount: row.amount,
    fee_amount: row.fee_amount,
    net_amount: row.amount - row.fee_amount,
    currency_code: row.currency_code,
    payout_id: row.payout_id,
    status: "completed",
    environment: row.environment,
    created_at: isoTime(row.created_at),
  };
}

async function assertAdvanceAllowed(context: WriteContext, owner: Owner, request: SettlementRequest): Promise<void> {
  if (!context.service.settings.holdCardFunds) throw notEligible("card funds are not held but available at once");
  const { held } = await readFunds(context.database, balanceKey(owner, request));
  if (request.amount > held) throw notEligible(`only ${held} ${request.currency_code} of card funds are held`);
}

function notEligible(why: string): ApiError {
  return new ApiError("bad_request", `Not eligible for an instant settlement: ${why}`);
}

function balanceKey({ organization, environment }: Owner, { currency_code }: SettlementRequest) {
  return { organization_id: organization.organization_id, environment, currency_code };
}
