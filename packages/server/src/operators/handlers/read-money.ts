import {
  codeOf,
  type Dispute,
  type Payment,
  type Refund,
  refundableAmount,
  resolveWithin,
  syncRefunds,
} from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import type { OperatorRequest } from "./operator-request.ts";

/** What a page shows of a payment's money. `seen` changes with every refund, with its result, and with every change of a dispute. */
export type ShownMoney = {
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly seen: string;
};

export async function readMoney({ ledger }: OperatorRequest, payment: Payment): Promise<ShownMoney> {
  const [refunds, disputes] = await Promise.all([ledger.refunds(payment.id), ledger.disputes(payment.id)]);
  const disputed = disputes.map(({ status, outcome }) => `${status}-${outcome}`).join(".");
  return { refunds, disputes, seen: `${refunds.length}.${refundableAmount(payment, refunds).minor}.${disputed}` };
}

/**
 * Reads the service's refunds first, because a refund of its dashboard may never have been reported. While the service does not
 * respond, the page shows what the ledger holds.
 */
export async function readMoneyAnew(request: OperatorRequest, payment: Payment): Promise<ShownMoney> {
  const { engine } = request;
  const reading = syncRefunds(engine, payment.id).catch((error: unknown) => {
    engine.log.info("operators.refunds_unread", { paymentId: payment.id, code: codeOf(error) });
  });
  await resolveWithin(engine.clock, serverLimits.decisionTimeoutMs, reading);
  return await readMoney(request, payment);
}
