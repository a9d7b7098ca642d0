import { CheckoutError } from "../domain/checkout-error.ts";
import { judge, saysPaid } from "../domain/judge.ts";
import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Engine } from "./engine.ts";
import { followUp } from "./follow-up.ts";
import type { Judged, Look } from "./look.ts";
import { openSession } from "./open-session.ts";
import { mustFind, orderNow } from "./store-calls.ts";

/**
 * Reads the session, judges, records. Takes no lock and tells no store: a platform that asks us (Medusa) holds locks of its
 * own around this call, so it must never wait for ours.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable` (nothing was learned: ask again)
 */
export async function verifyPayment(engine: Engine, paymentId: string): Promise<Verdict> {
  const { verdict } = await lookAt(engine, paymentId, {
    who: "store",
    deadlineMs: limits.serviceCallMs,
    maxAgeMs: 0,
    confirmAfterMs: limits.platformFinishesMs,
  });
  return verdict;
}

/** verifyPayment with its knobs; answers the payment as it stands afterwards, too. */
export async function lookAt(engine: Engine, paymentId: string, look: Look): Promise<Judged> {
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const judged = await lookOnce(engine, paymentId, look);
    // What the owner accepted by hand is judged once more, as accepted.
    if (judged && judged.verdict.say !== "accepted") return judged;
  }
  throw new CheckoutError("ledger_busy", "This payment is being confirmed elsewhere: try again in a moment.", {
    retryable: true,
  });
}

// Null: somebody else committed first, or another payment of the order was verified first.
async function lookOnce(engine: Engine, paymentId: string, look: Look): Promise<Judged | null> {
  let payment = await mustFind(engine, paymentId);
  if (payment.state === "intent") payment = await openSession(engine, payment);
  const verdict = await reach(engine, payment, look);
  const change = followUp(engine, payment, verdict, look);
  if (!change) return { verdict, payment };
  const answer = await engine.ledger.commit({ ...(look.fence ? { fence: look.fence } : {}), ...change });
  if (answer === "done") return { verdict, payment: change.payment.next };
  if (answer === "stale" && look.fence) await assertFence(engine, look.fence);
  return null;
}

async function reach(engine: Engine, payment: Payment, look: Look): Promise<Verdict> {
  const { ledger, clock } = engine;
  const ended = payment.state === "recorded" || payment.state === "refunded" || payment.state === "refunding";
  // A store that gives no answer would make each reading one for nothing: its outage must not use up a day's calls.
  const isInDoubt = !ended && engine.breakers.isInDoubt(`store:${payment.ref.storeId}`);
  const orderFirst = isInDoubt ? orderNow(engine, payment) : null;
  if (orderFirst) await orderFirst;
  const [reading, order, all, refunds] = await Promise.all([
    ended || payment.session === null ? {} : read(engine, payment, look),
    ended ? null : (orderFirst ?? orderNow(engine, payment)),
    ledger.siblings(payment.ref),
    ledger.refunds(payment.id),
  ]);
  const siblings = all.filter(({ id }) => id !== payment.id);
  return judge({ payment, reading, order, siblings, refunds, now: clock.now() });
}

async function read(engine: Engine, payment: Payment, look: Look): Promise<SessionReading> {
  const ask = async () => {
    const service = await engine.tenants.service(payment.credentialId);
    return await service.readSession(payment, look.deadlineMs);
  };
  if (payment.state === "verified" && payment.storeTries > 0) {
    // What the store was told once stays completed: a day in which it cannot be told must not use up a day's calls.
    const known = await engine.readings.read(payment.id, limits.completedReadingMs, ask);
    if (saysPaid(payment, known)) return known;
  }
  return await engine.readings.read(payment.id, look.maxAgeMs, ask);
}

async function assertFence(engine: Engine, fence: { ref: OrderRef; value: number }): Promise<void> {
  const held = await engine.ledger.renewOrder(fence.ref, fence.value, engine.clock.now(), limits.orderLeaseMs);
  if (held) return;
  throw new CheckoutError("ledger_busy", "Another worker took over this order.", { retryable: true });
}
