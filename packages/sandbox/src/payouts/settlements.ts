import type { instantSettlementRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { fundsIn, moveFunds } from "../balances/balances.ts";
import { feeOf } from "../payments/fees.ts";
import type { Owner } from "../payments/sessions.ts";
import { iso } from "../service/clock.ts";
import { Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { SettlementRow } from "../storage/money-tables.ts";
import { readPayout } from "./payouts.ts";

export type SettlementRequest = z.output<typeof instantSettlementRequestSchema>;

/** What money at once costs: basis points of the amount. */
const speedFeeBps = 100;

/**
 * Whether this settlement can be made: an advance needs held card money, a rail settlement a payout under way that was
 * not made faster already.
 * @throws Refusal `bad_request`, `not_found`
 */
export async function refuseSettlement(change: Change, owner: Owner, request: SettlementRequest): Promise<void> {
  if (request.mode === "advance") return refuseAdvance(change, owner, request);
  const payout = await readPayout(change.rows, request.payout_id ?? "", owner);
  const fits = payout.currency_code === request.currency_code && request.amount <= payout.amount;
  if (payout.status === "failed" || !fits) throw notEligible("this payout does not carry that amount");
  const earlier = await change.rows
    .selectFrom("settlements")
    .select("settlement_id")
    .where("payout_id", "=", payout.payout_id)
    .executeTakeFirst();
  if (earlier !== undefined) throw notEligible("this payout is instant already");
}

/** An advance unlocks held money less its fee. On a rail the fee comes out of the payout, so no balance moves. */
export async function settle(change: Change, owner: Owner, request: SettlementRequest): Promise<SettlementRow> {
  const { amount } = request;
  const row: SettlementRow = {
    settlement_id: change.service.ids.uuid(),
    ...purseOf(owner, request),
    mode: request.mode,
    amount,
    fee_amount: feeOf(amount, speedFeeBps),
    payout_id: request.mode === "rail" ? (request.payout_id?.toLowerCase() ?? null) : null,
    created_at: change.now,
  };
  await change.rows.insertInto("settlements").values(row).execute();
  if (row.mode === "advance") await moveFunds(change, row, { available: amount - row.fee_amount, held: -amount });
  return row;
}

/** The settlement as the API shows it. */
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
    created_at: iso(row.created_at),
  };
}

async function refuseAdvance(change: Change, owner: Owner, request: SettlementRequest): Promise<void> {
  if (!change.service.settings.holdCardFunds) throw notEligible("card money is not held, it is available at once");
  const { held } = await fundsIn(change.rows, purseOf(owner, request));
  if (request.amount > held) throw notEligible(`only ${held} ${request.currency_code} of card money is held`);
}

function notEligible(why: string): Refusal {
  return new Refusal("bad_request", `Not eligible for an instant settlement: ${why}`);
}

function purseOf({ organization, environment }: Owner, { currency_code }: SettlementRequest) {
  return { organization_id: organization.organization_id, environment, currency_code };
}
