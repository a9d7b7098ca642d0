import type { RefundPaymentInput, RefundPaymentOutput } from "@medusajs/framework/types";
import { learnRefunds, type Payment, type Refund, refundPayment } from "@tillkit/core";
import { isBeingWrittenDown } from "../adapter/recorded-elsewhere.ts";
import { pluginLimits } from "../limits.ts";
import { moneyOf } from "../shop/amounts.ts";
import { rows } from "../shop/collection.ts";
import { queryOf } from "../shop/medusa-container.ts";
import type { Till } from "../till/open-till.ts";
import { dataOf } from "./payment-data.ts";
import { notAllowed } from "./refusal.ts";

const PREFIX = "medusa:";

/**
 * Gives back exactly what Medusa asks for, and says so only when the service did. Medusa deletes its row of a refund that
 * failed, so the next click has another key: a refund whose answer was lost is therefore read before anything else is sent,
 * and a second click on one that succeeded is refused.
 * @throws MedusaError with a sentence for whoever clicked
 */
export async function refund(till: Till, payment: Payment, input: RefundPaymentInput): Promise<RefundPaymentOutput> {
  if (isBeingWrittenDown(payment.id)) return { data: dataOf(payment) };
  return await till.inTurn(payment.id, async () => {
    const amount = moneyOf(input.amount, payment.owed.currency);
    const key = `${PREFIX}${input.context?.idempotency_key ?? till.engine.random.uuid()}`;
    await refuseSecondClick(till, payment, amount.minor, key);
    const wish = { paymentId: payment.id, key, amount, origin: "store" } as const;
    const answered = await watch(till, await refundPayment(till.engine, wish));
    if (answered.key !== key) await refuseWhatMedusaHas(till, answered);
    assertUnderWay(answered);
    return { data: dataOf(payment) };
  });
}

/** `pending`: the service took it and will finish it. Should it fail after all, the owner is told. */
function assertUnderWay({ state }: Refund): void {
  if (state === "completed" || state === "pending") return;
  if (state === "failed") throw notAllowed("The service refused this refund: the money is still here.");
  throw notAllowed(
    "The service did not answer, so nobody knows yet whether the money went back. Try again in a moment: it is not sent twice.",
  );
}

// Most refunds that are pending end within seconds, and Medusa has no word for one that has not.
async function watch(till: Till, asked: Refund): Promise<Refund> {
  const { clock } = till.engine;
  const until = clock.now() + pluginLimits.refundWatchMs;
  let refund = asked;
  while (refund.state === "pending" && clock.now() < until) {
    await clock.sleep(pluginLimits.refundWatchEveryMs);
    const known = await learnRefunds(till.engine, refund.paymentId).catch(() => []);
    refund = known.find(({ key }) => key === asked.key) ?? refund;
  }
  return refund;
}

// Two clicks are two rows in Medusa with two keys, and the same amount within seconds.
async function refuseSecondClick(till: Till, { id, owed }: Payment, minor: number, key: string): Promise<void> {
  const refunds = await till.ledger.refunds(id);
  if (refunds.some((known) => known.key === key)) return;
  const same = refunds.filter(({ amount, origin }) => origin === "store" && amount.minor === minor);
  if (!same.some(({ state }) => state === "completed" || state === "pending")) return;
  const since = till.engine.clock.now() - pluginLimits.secondClickMs;
  const detail = `${minor} ${owed.currency}`;
  const story = await till.ledger.story({ paymentId: id });
  if (!story.some((line) => line.what === "refund_asked" && line.detail === detail && line.at > since)) return;
  throw notAllowed(
    "The same amount was given back a moment ago. If you want to give it back once more, wait a few seconds and ask again.",
  );
}

// The refund that was in doubt is this one, unless Medusa still has the row that asked for it: then this is a second click.
async function refuseWhatMedusaHas({ container }: Till, { key }: Refund): Promise<void> {
  const found = await rows(queryOf(container), "refund", ["id"], { id: key.slice(PREFIX.length) });
  if (found.length > 0) throw notAllowed("The same refund is under way already: look at the order again in a moment.");
}
