import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import { isRetryable, type Refusal } from "../domain/refusal.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import type { ShownByStore, StoreRefunds } from "../ports/store-refunds.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import { amountToSend, amountUnderKey, type Capped } from "./amount-to-send.ts";
import { answerStore } from "./answer-store.ts";
import { type AnswerLedger, assertNoRepeat, type RefundRequestOfStore } from "./repeated-request.ts";
import { compareShown } from "./shown-refund.ts";
import { whyRefused } from "./why-refused.ts";

export type StoreRefundHost = { readonly engine: Engine; readonly ledger: AnswerLedger };

/**
 * `unknown`: the response was lost. The refund may have been made, and a request for the same amount is answered with it. `error`: what the engine
 * threw, for a host that tries again in a job.
 */
export type StoreRefundAnswer =
  | { readonly kind: "made" | "pending" | "unknown"; readonly refund: Refund }
  | { readonly kind: "refused"; readonly why: Refusal; readonly retryable: boolean; readonly error?: unknown };

/**
 * Answers a store that asks before it books a refund. A repeated click, a second tab and more than what is left are refused. A refund of ours
 * which the store does not show is the requested one: the store lost our answer, or rolled its request back. So what the store shows counts
 * as refunded, and not what the ledger knows.
 *
 * @throws every error that is no answer of the engine, such as that of a missing API key
 */
export async function requestStoreRefund(
  host: StoreRefundHost,
  store: StoreRefunds,
  payment: Payment,
  request: RefundRequestOfStore,
): Promise<StoreRefundAnswer> {
  const { engine } = host;
  const { id: paymentId } = payment;
  const { key, by } = request;
  const shown = await store.list();
  const movements = await gatherMovements(engine.ledger, paymentId);
  const capped = cap(payment, movements, request, store, shown);
  if (capped.kind !== "amount") return refusedAs(capped);
  const rows = async () => (await store.list())?.refunds ?? shown?.refunds ?? [];
  try {
    await assertNoRepeat(host, payment, request, { known: movements.refunds, shown: shown?.refunds ?? [] });
    const sent = await refundPayment(engine, {
      paymentId,
      key,
      amount: capped.amount,
      origin: "store",
      ...(store.keys === "stable" && { reusesKeys: true }),
      ...(store.shownByStore && { shownByStore: true }),
      ...(shown && { recordedRefunds: async (known) => compareShown(known, await rows()).names }),
      async stillApplies() {
        const known = await engine.ledger.refunds(paymentId);
        await assertNoRepeat(host, payment, request, { known, shown: await rows() });
        return true;
      },
      ...(by === undefined ? {} : { by }),
    });
    return answerOf(await answerStore(host, store, payment, sent));
  } catch (error) {
    const why = await whyRefused(engine, payment, error);
    if (why === null) throw error;
    return { ...refusedAs(why), error };
  }
}

function cap(
  payment: Payment,
  movements: Movements,
  { key, amount }: RefundRequestOfStore,
  { keys }: StoreRefunds,
  shown: ShownByStore | null,
): Capped {
  if (shown === null)
    return { kind: "amount", amount: keys === "stable" ? amountUnderKey(payment, movements, key, amount) : amount };
  const { minor, oursMinor } = compareShown(movements.refunds, shown.refunds);
  const countedLeft = { ...shown.counted, minor: shown.counted.minor - minor };
  return amountToSend(payment, movements, { amount, countedLeft, refundedMinor: oursMinor });
}

function answerOf(refund: Refund): StoreRefundAnswer {
  switch (refund.state) {
    case "completed":
      return { kind: "made", refund };
    case "pending":
      return { kind: "pending", refund };
    case "failed":
      return refusedAs({ kind: "refused_by_service" });
    default:
      return { kind: "unknown", refund };
  }
}

export function refusedAs(why: Refusal): Extract<StoreRefundAnswer, { readonly kind: "refused" }> {
  return { kind: "refused", why, retryable: isRetryable(why) };
}
