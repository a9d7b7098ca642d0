import type { RefundPaymentInput, RefundPaymentOutput } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import {
  equationsOf,
  explainRefusedRefund,
  gatherMovements,
  type Money,
  type Payment,
  type Refund,
  refundPayment,
  syncRefunds,
} from "@tillkit/core";
import { isRecordOnly } from "../adapter/record-only-refund.ts";
import { isWriteTooLate } from "../adapter/write-in-time.ts";
import { userError } from "../errors/user-error.ts";
import { pluginLimits } from "../limits.ts";
import { rejectDoubleClick } from "../refunds/double-click.ts";
import { findUnshownRefund, refundKeyOf, refundsOfAmount, showInRow } from "../refunds/refund-rows.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { toMoney } from "../store/amounts.ts";
import { toPaymentData } from "./payment-data.ts";

/**
 * Refunds exactly the amount that Medusa requests, once per request. A refund whose answer was lost is looked up before
 * another one is sent; when it was made after all, the row of the new request shows it. A second click on a refund that
 * Medusa already shows is rejected.
 * @throws Error with a text for the person who clicked
 */
export async function refund(
  runtime: CheckoutRuntime,
  payment: Payment,
  input: RefundPaymentInput,
): Promise<RefundPaymentOutput> {
  // Medusa removes the refund's row again.
  if (isRecordOnly(payment.id) && isWriteTooLate())
    throw new MedusaError(MedusaError.Types.CONFLICT, "It is too late to record this refund.");
  if (isRecordOnly(payment.id)) return { data: toPaymentData(payment) };
  // Before the wait for an earlier click, which takes as long as the service.
  const clickedAt = runtime.engine.clock.now();
  return await runtime.refundMutex.runExclusive(payment.id, async () => {
    const requested = toMoney(input.amount, payment.amountDue.currency);
    const amount = await capToAmountReceived(runtime, payment, requested);
    if (amount === null) return { data: toPaymentData(payment) };
    // Medusa's id of the refund's row in its database.
    const rowId = input.context?.idempotency_key ?? runtime.engine.random.uuid();
    const click = { amount, rowId, clickedAt };
    const sent = await explainingRefusal(runtime, payment, () => refundOnce(runtime, payment, click));
    const ended = await waitWhilePending(runtime, sent);
    runtime.debug("refund.answered", { paymentId: payment.id, key: sent.key, state: ended.state });
    assertRefundAccepted(ended);
    return { data: toPaymentData(payment) };
  });
}

// Medusa counts the amount due as paid, also when the owner accepted a smaller payment. When it then requests everything that it
// still counts, it requests more than was received: this returns what is left of the payment, or null when nothing is left. Otherwise
// such an order could never be canceled. Any other amount is not changed.
async function capToAmountReceived(
  runtime: CheckoutRuntime,
  payment: Payment,
  requested: Money,
): Promise<Money | null> {
  const movements = await gatherMovements(runtime.ledger, payment.id);
  // Medusa knows of no dispute. A refund over a dispute is not made smaller: the engine refuses it and says why.
  const [{ received, available }] = equationsOf(payment, { ...movements, disputes: [] });
  const countedByMedusa = available.minor + payment.amountDue.minor - received.minor;
  if (requested.minor === 0 || requested.minor !== countedByMedusa) return requested;
  const minor = Math.min(requested.minor, available.minor);
  return minor > 0 ? { ...requested, minor } : null;
}

/** `rowId`: Medusa's id of the row. `clickedAt`: milliseconds since 1970. */
type Click = { readonly amount: Money; readonly rowId: string; readonly clickedAt: number };

async function refundOnce(runtime: CheckoutRuntime, payment: Payment, click: Click): Promise<Refund> {
  const { amount, rowId, clickedAt } = click;
  const key = refundKeyOf(rowId);
  const ofSameAmount = await refundsOfAmount(runtime, payment, amount);
  const isNew = !ofSameAmount.some((refund) => refund.key === key);
  const unshown = isNew ? await findUnshownRefund(runtime, ofSameAmount) : null;
  if (isNew && !unshown) await rejectDoubleClick(runtime, ofSameAmount, clickedAt);
  // Another process of Medusa may send a refund of this amount, or learn the result of an earlier one, after the checks above.
  async function stillApplies(): Promise<boolean> {
    await rejectDoubleClick(runtime, await refundsOfAmount(runtime, payment, amount), clickedAt);
    return true;
  }
  const request = { paymentId: payment.id, key, amount, origin: "store", shownByStore: true, stillApplies } as const;
  const sent = unshown ?? (await refundPayment(runtime.engine, request));
  const isEarlierRefund = sent.key !== key;
  // No row has shown the earlier refund yet, and this row shows it from now on. If another row was faster, this is a second click.
  if (isEarlierRefund && !(await showInRow(runtime, sent, rowId))) throw userError("refundInProgress");
  return sent;
}

/**
 * A refund that a person must decide first is refused with a text that says why, and that ends with the link to our admin page of the
 * payment, in the owner's language.
 */
async function explainingRefusal<Value>(
  { engine, options }: Pick<CheckoutRuntime, "engine" | "options">,
  payment: Payment,
  refundIt: () => Promise<Value>,
): Promise<Value> {
  try {
    return await refundIt();
  } catch (error) {
    const text = await explainRefusedRefund(engine, payment, error, options.language);
    throw text === null ? error : new MedusaError(MedusaError.Types.NOT_ALLOWED, text);
  }
}

/** `pending` counts as accepted: if it fails later, the owner is notified. Null means that nothing was left to refund. */
export function assertRefundAccepted(refund: Refund | null): void {
  if (refund === null || refund.state === "completed" || refund.state === "pending") return;
  throw userError(refund.state === "failed" ? "refundRefused" : "refundUnknown");
}

/** Most pending refunds end within seconds, and Medusa has no state for a refund in progress. */
export async function waitWhilePending(runtime: CheckoutRuntime, sent: Refund): Promise<Refund> {
  const { clock } = runtime.engine;
  const giveUpAt = clock.now() + pluginLimits.refundWaitMs;
  let refund = sent;
  while (refund.state === "pending" && clock.now() < giveUpAt) {
    await clock.sleep(pluginLimits.refundPollMs);
    const known = await syncRefunds(runtime.engine, refund.paymentId).catch(() => []);
    refund = known.find(({ key }) => key === sent.key) ?? refund;
  }
  return refund;
}
