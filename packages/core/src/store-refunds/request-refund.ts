import type { Money } from "../domain/money.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import { isRetryable, type Refusal } from "../domain/refusal.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import { capAmount } from "./cap-amount.ts";
import { type AnswerLedger, findRepeat, type RefundRequestOfStore, storeAnswer } from "./repeated-request.ts";
import { compareShown, type ShownRefund, type ShownSums } from "./shown-refund.ts";
import { whyRefused } from "./why-refused.ts";

/**
 * `counted`: what the store counts as paid, before refunds. `refunds`: read after any earlier request of the payment has ended, without the refund
 * that is requested.
 */
type ShownByStore = { readonly counted: Money; readonly refunds: readonly ShownRefund[] };

export type StoreRefundRequest = RefundRequestOfStore & {
  /** What the store shows now. Null: it cannot tell. */
  readonly shown: ShownByStore | null;
  /** The store asks from its own record of the payment, so our write of the payment has taken effect. */
  readonly shownByStore?: true;
  /** The person who clicked: a role or a login, never an e-mail. */
  readonly by?: string;
};

/** `unknown`: the response was lost. The refund may have been made, and a request for the same amount is answered with it. */
export type StoreRefundAnswer =
  | { readonly kind: "made" | "pending" | "unknown"; readonly refund: Refund }
  | { readonly kind: "refused"; readonly why: Refusal; readonly retryable: boolean };

/**
 * Answers a store that asks before it books a refund. A repeated click, a second tab and more than what is left are refused. A refund of ours
 * which the store does not show is the requested one: the store lost our answer, or rolled its request back. So what the store shows counts
 * as refunded, and not what the ledger knows.
 *
 * @throws every error that is no answer of the engine, such as that of a missing API key
 */
export async function requestStoreRefund(
  { engine, ledger }: { readonly engine: Engine; readonly ledger: AnswerLedger },
  payment: Payment,
  request: StoreRefundRequest,
): Promise<StoreRefundAnswer> {
  const { id: paymentId, ref } = payment;
  const { shown, key, by, shownByStore, amount } = request;
  const movements = await gatherMovements(engine.ledger, paymentId);
  const known = movements.refunds;
  const sums = shown && compareShown(known, shown.refunds);
  const capped = shown && sums && cap(payment, movements, amount, shown.counted, sums);
  if (capped && capped.kind !== "amount") return refused(capped);
  const now = engine.clock.now();
  const repeat = shown && (await findRepeat(ledger, ref.storeId, request, { known, shown: shown.refunds, now }));
  if (repeat) return refused({ kind: `refund_${repeat}` });
  try {
    const refund = await refundPayment(engine, {
      paymentId,
      key,
      amount: capped?.amount ?? amount,
      origin: "store",
      ...(sums && { recordedRefunds: sums.names }),
      ...(shownByStore && { shownByStore }),
      ...(by === undefined ? {} : { by }),
    });
    if (refund.state === "completed" || refund.state === "pending")
      await storeAnswer(ledger, ref.storeId, refund, engine.clock.now());
    return answerOf(refund);
  } catch (error) {
    const why = await whyRefused(engine, payment, error);
    if (why === null) throw error;
    return refused(why);
  }
}

function cap(payment: Payment, movements: Movements, amount: Money, counted: Money, { minor, oursMinor }: ShownSums) {
  const countedLeft = { ...counted, minor: counted.minor - minor };
  return capAmount(payment, movements, { amount, countedLeft, refundedMinor: oursMinor });
}

function answerOf(refund: Refund): StoreRefundAnswer {
  switch (refund.state) {
    case "completed":
      return { kind: "made", refund };
    case "pending":
      return { kind: "pending", refund };
    case "failed":
      return refused({ kind: "refused_by_service" });
    default:
      return { kind: "unknown", refund };
  }
}

function refused(why: Refusal): StoreRefundAnswer {
  return { kind: "refused", why, retryable: isRetryable(why) };
}
