import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { formatMoney, type Money, money, sameMoney } from "../domain/money.ts";
import { paidMoney } from "../domain/paid-money.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact, type PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import type { StoryLine } from "../domain/story.ts";
import type { Engine } from "./engine.ts";
import { jobOf } from "./follow-up.ts";
import { learnRefunds, moneyLeft, recordRefunds, transactionOf } from "./learn-refunds.ts";
import { mustFind } from "./store-calls.ts";

export type RefundWish = {
  readonly paymentId: string;
  /** The store's own name of this refund: the same key again is the same refund, never a second one. 1 to 255 characters. */
  readonly key: string;
  readonly amount: Money;
  /** `store`: the store asked and records it itself. `policy`: we or the owner decided, and the store is told. */
  readonly origin: "store" | "policy";
  readonly reason?: string;
  /** Refused unless the payment stands in one of these when the refund is noted; wherever money is, unless set. */
  readonly among?: readonly PaymentState[];
  /** The person who decided it, for the story: a role or a login, never an e-mail. */
  readonly by?: string;
};

/** Money can only go back where it arrived. */
const REFUNDABLE: readonly PaymentState[] = ["recorded", "verified", "review", "duplicate", "refunding"];

/**
 * Gives money back, at most once for each key and never more than was paid (POST /refunds under the key). Never reports a
 * success that it has not seen: the answer's state is `completed`, `pending`, `failed`, or `unknown` when the answer was lost.
 *
 * A refund in doubt blocks every other one of its payment until it was read. A store that lost our answer and asks again
 * with a new key and the same amount gets the refund that was in doubt, not a second one.
 *
 * @throws CheckoutError `refund_not_possible`, `refund_too_large`, `refund_key_reused`, `amount_invalid`, and, worth
 * another try: `refund_in_doubt`, `service_unavailable`, `ledger_busy`
 */
export async function refundPayment(engine: Engine, wish: RefundWish): Promise<Refund> {
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const refund = await nextStep(engine, wish);
    if (refund) return refund;
  }
  throw new CheckoutError("ledger_busy", "This payment is being changed elsewhere: try again in a moment.", {
    retryable: true,
  });
}

/** Sends a refund again that is still in doubt: the same body under the same key has one effect. */
export async function resumeRefund(engine: Engine, paymentId: string, key: string): Promise<Refund | null> {
  const refund = (await engine.ledger.refunds(paymentId)).find((one) => one.key === key);
  return refund && isInDoubt(refund) ? await send(engine, paymentId, refund) : (refund ?? null);
}

// Null: the ledger changed, look again.
async function nextStep(engine: Engine, wish: RefundWish): Promise<Refund | null> {
  const payment = await mustFind(engine, wish.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const own = known.find(({ key }) => key === wish.key);
  if (own) return await again(engine, own, wish);
  const doubtful = known.find(isInDoubt);
  if (doubtful) return await settle(engine, doubtful, wish);
  if (known.some(({ state }) => state === "pending")) await learnRefunds(engine, payment.id);
  return await ask(engine, wish);
}

async function again(engine: Engine, own: Refund, wish: RefundWish): Promise<Refund> {
  if (!sameMoney(own.amount, wish.amount)) {
    throw new CheckoutError(
      "refund_key_reused",
      "This refund was asked for before, with another amount: use a new key.",
    );
  }
  return isInDoubt(own) ? await send(engine, wish.paymentId, own) : own;
}

async function settle(engine: Engine, doubtful: Refund, wish: RefundWish): Promise<Refund | null> {
  const settled = await send(engine, wish.paymentId, doubtful);
  if (isInDoubt(settled)) {
    const message = "An earlier refund of this payment is still without an answer: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  const sameClick = settled.origin === wish.origin && sameMoney(settled.amount, wish.amount);
  return sameClick && settled.state !== "failed" ? settled : null;
}

async function ask(engine: Engine, wish: RefundWish): Promise<Refund | null> {
  const payment = await mustFind(engine, wish.paymentId);
  const known = await engine.ledger.refunds(payment.id);
  const amount = assertRefundable(payment, known, wish);
  const transactionId = await transactionOf(engine, payment);
  if (transactionId === null) {
    const message = "The service does not show this payment's transaction yet: try again in a moment.";
    throw new CheckoutError("refund_in_doubt", message, { retryable: true });
  }
  const refund = newRefund(payment, transactionId, amount, wish);
  const full = amount.minor === moneyLeft(payment, known).minor;
  const next = {
    ...payment,
    transactionId,
    state: full ? afterFact(payment.state, "refundAsked") : payment.state,
    version: payment.version + 1,
  };
  const at = engine.clock.now();
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    refunds: [refund],
    // Goes on with it when this process dies before the answer is recorded.
    jobs: [jobOf(payment, "refund", refund.key, at + limits.confirmAgainMs)],
    story: storyOf(payment, amount, wish, at),
  });
  return answer === "done" ? await send(engine, payment.id, refund) : null;
}

function storyOf({ id: paymentId }: Payment, { minor, currency }: Money, wish: RefundWish, at: number): StoryLine[] {
  const who = wish.origin === "store" ? "store" : "operator";
  const asked: StoryLine = { paymentId, at, who, what: "refund_asked", detail: `${minor} ${currency}` };
  return wish.by === undefined ? [asked] : [asked, { paymentId, at, who, what: "refund_decided", detail: wish.by }];
}

function assertRefundable(payment: Payment, known: readonly Refund[], wish: RefundWish): Money {
  const { amount, among = REFUNDABLE } = wish;
  const exact = money(amount.minor, amount.currency);
  if (!among.includes(payment.state) && REFUNDABLE.includes(payment.state)) {
    throw new CheckoutError(
      "refund_not_possible",
      "This payment counts for its order by now: give it back in the shop.",
    );
  }
  if (!REFUNDABLE.includes(payment.state) || exact.currency !== payment.owed.currency) {
    throw new CheckoutError(
      "refund_not_possible",
      "Nothing can be given back: this payment did not arrive in this currency.",
    );
  }
  const left = moneyLeft(payment, known);
  if (exact.minor === 0 || exact.minor > left.minor) {
    throw new CheckoutError("refund_too_large", `At most ${formatMoney(left, "en")} can be given back.`);
  }
  return exact;
}

function newRefund(payment: Payment, transactionId: string, amount: Money, wish: RefundWish): Refund {
  // The factor between the service's unit and ours is the one this payment was sent with.
  const wireAmount = (amount.minor * payment.wireAmount) / payment.owed.minor;
  if (!Number.isInteger(wireAmount)) {
    throw new CheckoutError("amount_invalid", "The service counts whole units: this refund has cents.");
  }
  const request = {
    transaction_id: transactionId,
    amount: wireAmount,
    reason: wish.reason ?? "requested_by_customer",
    refund_type: amount.minor === paidMoney(payment).minor ? "full" : "partial",
  };
  const { paymentId, key, origin } = wish;
  return {
    key,
    paymentId,
    origin,
    amount,
    request: JSON.stringify(request),
    transactionId,
    state: "asked",
    refundId: null,
  };
}

async function send(engine: Engine, paymentId: string, refund: Refund): Promise<Refund> {
  const { credentialId, account } = await mustFind(engine, paymentId);
  const service = await engine.tenants.service(credentialId);
  try {
    const { key, request } = refund;
    const reading = await service.refund({ paymentId, request, key, account, deadlineMs: limits.serviceCallMs });
    return await keep(engine, { ...refund, state: reading.status, refundId: reading.id });
  } catch (error) {
    const refused = codeOf(error) === "refund_refused";
    const kept = await keep(engine, { ...refund, state: refused ? "failed" : "unknown" });
    if (refused) await learnWhy(engine, paymentId);
    return kept;
  }
}

// Money that went back in the dashboard, unheard of here, is the usual reason to refuse. That it cannot be read now changes nothing.
async function learnWhy(engine: Engine, paymentId: string): Promise<void> {
  await learnRefunds(engine, paymentId).catch((error: unknown) => {
    engine.log.info("refund.not_looked_up", { paymentId, code: codeOf(error) });
  });
}

async function keep(engine: Engine, refund: Refund): Promise<Refund> {
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const payment = await mustFind(engine, refund.paymentId);
    const known = await engine.ledger.refunds(refund.paymentId);
    const stored = known.find(({ key }) => key === refund.key);
    // Another process was faster: what it read stands, and doubt never replaces an answer.
    if (stored && !isInDoubt(stored)) return stored;
    if (stored?.state === refund.state) return refund;
    if (await recordRefunds(engine, payment, known, [refund])) return refund;
  }
  return refund;
}

function isInDoubt({ state }: Refund): boolean {
  return state === "asked" || state === "unknown";
}
