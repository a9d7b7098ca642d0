import { finishPayout, payoutJson } from "../balances/payouts.ts";
import { cardChargeJson } from "../charges/card-charge-json.ts";
import { confirmCard } from "../charges/confirm-card.ts";
import { disputeRecord } from "../reversals/dispute-records.ts";
import { closeDispute, openDispute, updateDispute } from "../reversals/disputes.ts";
import { refundJson } from "../reversals/refund-events.ts";
import { completeRefund, failRefund } from "../reversals/refund-outcomes.ts";
import { readRefund } from "../reversals/refunds.ts";
import { createRunWrite, type RunWrite } from "../runtime/run-write.ts";
import type { Service, WriteContext } from "../runtime/service.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import { type MoneyRequest, moneyRequestSchemas } from "./money-requests.ts";
import { parseRequest } from "./parse-request.ts";
import { type SubscriptionControl, subscriptionControl } from "./subscription-control.ts";

type Json = Record<string, unknown>;

/** What providers, banks and merchants do to charges, refunds, payouts and disputes. Each call returns the changed resource. */
export type MoneyControl = SubscriptionControl & {
  /**
   * Confirms a card charge as the browser does. `number` is a test card of the hosted page. With `publishable_key` and
   * `client_secret` the call is checked as a call from a browser.
   */
  confirmCardCharge(chargeId: string, input: MoneyRequest<"cardConfirmation">): Promise<Json>;
  completeRefund(refundId: string): Promise<Json>;
  failRefund(refundId: string): Promise<Json>;
  completePayout(payoutId: string): Promise<Json>;
  /** Credits the payout back to the balance. */
  failPayout(payoutId: string): Promise<Json>;
  /** Opens a dispute of a card payment. */
  createDispute(input: MoneyRequest<"newDispute">): Promise<Json>;
  /** Changes the dispute or submits evidence. An input that changes nothing emits no event. */
  updateDispute(disputeId: string, input: MoneyRequest<"disputeUpdate">): Promise<Json>;
  closeDispute(disputeId: string, input: MoneyRequest<"disputeClosure">): Promise<Json>;
};

export function moneyControl(service: Service): MoneyControl {
  const run = createRunWrite(service);
  return {
    confirmCardCharge: async (chargeId, input) => {
      const parsed = parseRequest(moneyRequestSchemas.cardConfirmation, input);
      return cardChargeJson(await run((context) => confirmCard(context, chargeId, parsed)));
    },
    ...refundsAndPayouts(run),
    ...subscriptionControl(run),
    createDispute: async (input) => {
      const parsed = parseRequest(moneyRequestSchemas.newDispute, input);
      return disputeRecord(await run((context) => openDispute(context, parsed)));
    },
    updateDispute: async (disputeId, input) => {
      const parsed = parseRequest(moneyRequestSchemas.disputeUpdate, input);
      return disputeRecord(await run((context) => updateDispute(context, disputeId, parsed)));
    },
    closeDispute: async (disputeId, input) => {
      const { outcome } = parseRequest(moneyRequestSchemas.disputeClosure, input);
      return disputeRecord(await run((context) => closeDispute(context, disputeId, outcome)));
    },
  };
}

function refundsAndPayouts(
  run: RunWrite,
): Pick<MoneyControl, "completeRefund" | "failRefund" | "completePayout" | "failPayout"> {
  const endRefund = async (refundId: string, end: (context: WriteContext, refund: RefundRow) => Promise<RefundRow>) =>
    refundJson(await run(async (context) => end(context, await readRefund(context.database, refundId))));
  return {
    completeRefund: (refundId) => endRefund(refundId, completeRefund),
    failRefund: (refundId) => endRefund(refundId, failRefund),
    completePayout: async (payoutId) =>
      payoutJson(await run((context) => finishPayout(context, payoutId, "completed"))),
    failPayout: async (payoutId) => payoutJson(await run((context) => finishPayout(context, payoutId, "failed"))),
  };
}
