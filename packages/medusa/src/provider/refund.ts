import type { RefundPaymentInput, RefundPaymentOutput } from "@medusajs/framework/types";
import {
  amountPaid,
  type Money,
  type Payment,
  type Refund,
  refundableAmount,
  refundPayment,
  syncRefunds,
} from "@tillkit/core";
import { isBeingWrittenDown } from "../adapter/recorded-elsewhere.ts";
import { pluginLimits } from "../limits.ts";
import { moneyOf } from "../shop/amounts.ts";
import type { Till } from "../till/open-till.ts";
import { dataOf } from "./payment-data.ts";
import { keyOf, sameRefunds, showIn, takenOverAt, withoutRow } from "./refund-rows.ts";
import { notAllowed } from "./refusal.ts";

/**
 * Gives back exactly what Medusa asks for, and never twice for one wish. A refund whose answer was lost is read before
 * anything else is sent, or, where it went back meanwhile, shown in the row of the next click; a second click on one that
 * Medusa shows is refused.
 * @throws MedusaError with a sentence for whoever clicked
 */
export async function refund(till: Till, payment: Payment, input: RefundPaymentInput): Promise<RefundPaymentOutput> {
  if (isBeingWrittenDown(payment.id)) return { data: dataOf(payment) };
  return await till.inTurn(payment.id, async () => {
    const amount = await ofWhatArrived(till, payment, moneyOf(input.amount, payment.amountDue.currency));
    if (amount === null) return { data: dataOf(payment) };
    const row = input.context?.idempotency_key ?? till.engine.random.uuid();
    const given = await giveBackOnce(till, payment, amount, row);
    assertUnderWay(await watch(till, given));
    return { data: dataOf(payment) };
  });
}

// Medusa holds what it asked for. Where less arrived, and the owner accepted that, the rest of what Medusa holds is the rest of
// what arrived, null when that is nothing: else such an order could never be canceled. Any other amount stays what it is.
async function ofWhatArrived(till: Till, payment: Payment, asked: Money): Promise<Money | null> {
  const left = refundableAmount(payment, await till.ledger.refunds(payment.id)).minor;
  const neverArrived = payment.amountDue.minor - amountPaid(payment).minor;
  if (asked.minor === 0 || asked.minor !== left + neverArrived) return asked;
  const minor = Math.min(asked.minor, left);
  return minor > 0 ? { ...asked, minor } : null;
}

async function giveBackOnce(till: Till, payment: Payment, amount: Money, row: string): Promise<Refund> {
  const key = keyOf(row);
  const same = await sameRefunds(till, payment, amount);
  const isNew = !same.some((refund) => refund.key === key);
  const lost = isNew ? await withoutRow(till, same) : null;
  if (isNew && !lost) await refuseSecondClick(till, payment, amount, same);
  const wish = { paymentId: payment.id, key, amount, origin: "store" } as const;
  const given = lost ?? (await refundPayment(till.engine, wish));
  // One that was in doubt until now, or went back after all: unless another row shows it, for then this is a second click.
  if (given.key !== key && !(await showIn(till, given, row))) throw notAllowed("refundUnderWay");
  return given;
}

/** `pending`: the service took it and will finish it. Should it fail after all, the owner is told. Null: nothing was left. */
export function assertUnderWay(refund: Refund | null): void {
  if (refund === null || refund.state === "completed" || refund.state === "pending") return;
  throw notAllowed(refund.state === "failed" ? "refundRefused" : "refundUnknown");
}

// Most refunds that are pending end within seconds, and Medusa has no word for one that has not.
async function watch(till: Till, asked: Refund): Promise<Refund> {
  const { clock } = till.engine;
  const until = clock.now() + pluginLimits.refundWatchMs;
  let refund = asked;
  while (refund.state === "pending" && clock.now() < until) {
    await clock.sleep(pluginLimits.refundWatchEveryMs);
    const known = await syncRefunds(till.engine, refund.paymentId).catch(() => []);
    refund = known.find(({ key }) => key === asked.key) ?? refund;
  }
  return refund;
}

// Two clicks are two rows in Medusa with two keys, and the same amount within seconds.
async function refuseSecondClick(till: Till, { id }: Payment, amount: Money, same: readonly Refund[]): Promise<void> {
  if (same.length === 0) return;
  const since = till.engine.clock.now() - pluginLimits.secondClickMs;
  const detail = `${amount.minor} ${amount.currency}`;
  const story = await till.ledger.timeline({ paymentId: id });
  const asked = story.filter((line) => line.kind === "refund_asked" && line.detail === detail).map(({ at }) => at);
  const takenOver = await Promise.all(same.map((refund) => takenOverAt(till, refund)));
  if (![...asked, ...takenOver].some((at) => at !== null && at > since)) return;
  throw notAllowed("refundRepeated");
}
