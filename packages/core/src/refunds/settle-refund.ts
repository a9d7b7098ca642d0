import { CheckoutError, changedMeanwhile } from "../domain/checkout-error.ts";
import { isInDoubt, type Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { appliesStill } from "../payments/applies-still.ts";
import { updatePayment } from "../payments/stored-payment.ts";
import { updateForRefunds } from "./sync-refunds.ts";

/**
 * Ends a refund whose result the service's answers leave open, by what a person has read in the service's dashboard. The refund is
 * never sent again. A row of it that the service shows later is recorded as another refund, so money that went back twice is seen.
 *
 * @param input.wasMade whether the dashboard shows the refund
 * @param input.by a role or a login, never an e-mail
 * @param input.stillApplies asked right before the commit; false: what the person saw has changed
 * @throws CheckoutError `refund_not_possible` (it is not in doubt any more), `payment_not_found`; retryable: `ledger_busy`
 */
export async function settleRefund(
  engine: Engine,
  input: {
    readonly paymentId: string;
    readonly key: string;
    readonly wasMade: boolean;
    readonly by: string;
    readonly stillApplies?: () => Promise<boolean>;
  },
): Promise<Refund> {
  let settled: Refund | null = null;
  const { status } = await updatePayment(engine, input.paymentId, async (payment) => {
    const known = await engine.ledger.refunds(payment.id);
    const refund = known.find(({ key }) => key === input.key);
    if (!refund || !isInDoubt(refund)) {
      const message = "This refund is not in doubt any more: reload the page to see its result.";
      throw new CheckoutError("refund_not_possible", message);
    }
    if (!(await appliesStill(engine, input.stillApplies))) throw changedMeanwhile();
    settled = { ...refund, state: input.wasMade ? "completed" : "failed", readOnlySince: engine.clock.now() };
    const update = await updateForRefunds(engine, payment, [settled]);
    const context = { paymentId: payment.id, at: engine.clock.now(), actor: "operator" } as const;
    const { timeline = [] } = update;
    return { ...update, timeline: [...timeline, { ...context, kind: "refund_settled_by_person", by: input.by }] };
  });
  if (settled !== null && status === "updated") return settled;
  throw changedMeanwhile();
}
