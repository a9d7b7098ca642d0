import type { Finding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Money } from "../domain/money.ts";
import { paidMoney } from "../domain/paid-money.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { StoryLine } from "../domain/story.ts";
import type { Engine } from "./engine.ts";
import { jobOf, signalJob } from "./follow-up.ts";
import { mustFind } from "./store-calls.ts";

/**
 * Reads what the service knows of a payment's refunds and records it: outcomes of our own, and refunds that were made in the
 * service's dashboard. Only what was read here ever makes a payment `refunded`.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`
 */
export async function learnRefunds(engine: Engine, paymentId: string): Promise<readonly Refund[]> {
  const payment = await mustFind(engine, paymentId);
  const transactionId = await transactionOf(engine, payment);
  if (transactionId === null) return await engine.ledger.refunds(paymentId);
  const service = await engine.tenants.service(payment.credentialId);
  const readings = await service.readRefunds(payment, transactionId, limits.serviceCallMs);
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const known = await engine.ledger.refunds(paymentId);
    const current = await mustFind(engine, paymentId);
    const learned = mergeReadings(current, transactionId, known, readings);
    if (learned.length === 0 || (await recordRefunds(engine, current, known, learned))) break;
  }
  return await engine.ledger.refunds(paymentId);
}

/** The transaction of a payment, learned where it is not known yet; null while there is none. */
export async function transactionOf(engine: Engine, payment: Payment): Promise<string | null> {
  if (payment.transactionId !== null) return payment.transactionId;
  const service = await engine.tenants.service(payment.credentialId);
  return await service.findTransaction(payment, limits.serviceCallMs);
}

/**
 * Commits refunds with what they mean for the payment: the whole sum back is `refunded`; a failed refund puts a payment
 * that was to be given back entirely under review. false: somebody else changed the payment, look again.
 */
export async function recordRefunds(
  engine: Engine,
  payment: Payment,
  known: readonly Refund[],
  learned: readonly Refund[],
): Promise<boolean> {
  const keys = new Set(learned.map(({ key }) => key));
  const all = [...known.filter(({ key }) => !keys.has(key)), ...learned];
  const next = { ...payment, ...afterRefunds(payment, all, learned), version: payment.version + 1 };
  const at = engine.clock.now();
  const answer = await engine.ledger.commit({
    payment: { next, expect: payment.version },
    refunds: learned,
    jobs: [...learned.flatMap((refund) => refundJobs(payment, known, refund, at)), ...lookAgain(payment, next, at)],
    story: learned.map((refund) => lineOf(refund, at)),
  });
  return answer === "done";
}

export function sumOf(refunds: readonly Refund[], states: readonly Refund["state"][]): number {
  return refunds.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount.minor, 0);
}

/** What arrived for a payment and is neither given back nor on its way back. */
export function moneyLeft(payment: Payment, refunds: readonly Refund[]): Money {
  const { minor, currency } = paidMoney(payment);
  return { minor: minor - sumOf(refunds, ["completed", "pending"]), currency };
}

function mergeReadings(
  payment: Payment,
  transactionId: string,
  known: readonly Refund[],
  readings: readonly RefundReading[],
): Refund[] {
  const unnamed = known.filter(({ refundId, state }) => refundId === null && state !== "failed");
  const learned: Refund[] = [];
  for (const { id, status, wireAmount } of readings) {
    const amount = moneyOf(payment, wireAmount);
    const own = known.find(({ refundId }) => refundId === id) ?? takeUnnamed(unnamed, amount);
    if (own?.state === status && own.refundId === id) continue;
    const fresh = { key: `service:${id}`, paymentId: payment.id, origin: "service", request: "" } as const;
    learned.push({ ...(own ?? { ...fresh, amount, transactionId }), state: status, refundId: id });
  }
  return learned;
}

// A refund whose answer was lost has no id here: the one of the same amount that we do not know is it.
function takeUnnamed(unnamed: Refund[], amount: Money): Refund | undefined {
  const index = unnamed.findIndex((refund) => refund.amount.minor === amount.minor);
  return index === -1 ? undefined : unnamed.splice(index, 1)[0];
}

function moneyOf({ owed, wireAmount: sent }: Payment, wireAmount: number): Money {
  return { minor: (wireAmount * owed.minor) / sent, currency: owed.currency };
}

function afterRefunds(payment: Payment, all: readonly Refund[], learned: readonly Refund[]): Partial<Payment> {
  const named = learned.find(({ transactionId }) => transactionId !== "");
  const transactionId = payment.transactionId ?? named?.transactionId ?? null;
  if (sumOf(all, ["completed"]) >= paidMoney(payment).minor) {
    return { state: afterFact(payment.state, "refundDone"), transactionId, nextCheckAt: null };
  }
  const failed = learned.find(({ state }) => state === "failed");
  if (!failed) return { transactionId };
  const state = afterFact(payment.state, "refundFailed");
  const isBack = payment.state === "refunding" && state === "review";
  return { transactionId, state, finding: isBack ? (payment.finding ?? refundFailed(failed)) : payment.finding };
}

// A second payment of an order, say, comes back without a finding of its own: the owner is told what went wrong last.
function refundFailed({ amount }: Refund): Finding {
  return { code: "refund_failed", expected: `${amount.minor} ${amount.currency}`, found: "still here" };
}

// A refund that the store asked for is its own: it must not be told of it again. But one that failed after the store heard
// that it is under way may stand in its books.
function refundJobs(payment: Payment, known: readonly Refund[], refund: Refund, now: number): NewJob[] {
  const { key, state, origin } = refund;
  const before = known.find((one) => one.key === key)?.state;
  if (state !== "completed" && state !== "failed") {
    // Nobody here asked for it: without this, its end would be known by one webhook alone.
    const isNew = origin === "service" && before === undefined;
    return isNew ? [jobOf(payment, "refund", key, now + limits.refundCheckMs)] : [];
  }
  if (origin !== "store") return [jobOf(payment, "refund", key, now)];
  const wasUnderWay = before === "pending" || before === "unknown";
  return state === "failed" && wasUnderWay ? [jobOf(payment, "note", `refund_failed:${key}`, now)] : [];
}

// While its money was on its way back nobody had to look at a payment: the owner may never have been shown why it is held.
// A store that was told in time may show it as paid, so there is a look before that.
function lookAgain(before: Payment, next: Payment, now: number): NewJob[] {
  if (before.state !== "refunding" || next.state !== "review") return [];
  const told = next.storeTries > 0;
  const shownAt = told ? now + limits.confirmAgainMs : now;
  const shown = next.finding === null ? [] : [jobOf(next, "hold", JSON.stringify(next.finding), shownAt)];
  return told ? [signalJob(next, now), ...shown] : shown;
}

function lineOf({ paymentId, amount, state, origin }: Refund, at: number): StoryLine {
  const who = origin === "service" ? "webhook" : origin === "store" ? "store" : "operator";
  return { paymentId, at, who, what: `refund_${state}`, detail: `${amount.minor} ${amount.currency}` };
}
