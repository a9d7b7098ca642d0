import { codeOf, gatherMovements, type Payment, resolveWithin, syncRefunds } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { moneyOf, type ShownMoney } from "../pages/shown-money.ts";
import type { OperatorRequest } from "./operator-request.ts";

export async function readMoney({ ledger }: OperatorRequest, payment: Payment): Promise<ShownMoney> {
  return moneyOf(payment, await gatherMovements(ledger, payment.id));
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
