import { type CheckoutStart, codeOf, type Order } from "@tillkit/core";
import type { PayAttempt } from "../invariants/evidence.ts";
import { MINUTE, SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { outsideRestore } from "./ledger-accidents.ts";
import type { SessionTerms, SimulatedSession } from "./service-readings.ts";
import type { SimulatedProcess } from "./simulated-app.ts";
import { disputeAtRandom } from "./simulated-disputes.ts";
import {
  addHistory,
  anyAlive,
  increment,
  type SimulatedOrder,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";
import { sendEvent } from "./webhook-sender.ts";

const SHOPPER_TIMEOUT_MS = 30 * SECOND;
const AGAIN_AFTER_MS = 5 * SECOND;

/** Simulates the shopper of one order, who can pay, leave, pay twice, pay late, open two tabs and come back. */
export async function simulateShopper(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, random } = world;
  await clock.sleep(randomMs(random, 3 * MINUTE));
  const tries = pick(random, [1, 1, 1, 2, 3]);
  for (let number = 0; number < tries; number += 1) {
    const tabs = pick(random, [1, 1, 1, 2]);
    await Promise.all(Array.from({ length: tabs }, () => payInTab(world, order)));
    await clock.sleep(randomMs(random, pick(random, [MINUTE, 40 * MINUTE])));
  }
}

async function payInTab(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const session = await startPaying(world, order);
  if (!session) return;
  const { clock, random } = world;
  if (happens(random, 0.2)) sendEvent(world, "PAYMENT_CREATED", session);
  if (happens(random, 0.1)) sendEvent(world, "PAYMENT_FAILED", session);
  // A wallet may confirm long after the session expired.
  const [isLate, pays] = [happens(random, 0.1), happens(random, 0.8)];
  if (isLate && pays) {
    clock.setTimer(randomMs(random, 100 * MINUTE), () => pay(world, session));
  } else {
    await clock.sleep(randomMs(random, pick(random, [20 * SECOND, 5 * MINUTE])));
    if (pays) pay(world, session);
  }
  await returnToShop(world, session.key);
}

export async function startPaying(world: SimulationWorld, order: SimulatedOrder): Promise<SimulatedSession | null> {
  const process = anyAlive(world);
  if (!process) return null;
  const { store, service, output, tallies } = world;
  const { ref, attempt } = order.placed;
  increment(tallies.starts, ref.orderId);
  try {
    const found = await withTimeout(world, SHOPPER_TIMEOUT_MS, store.adapter.findOrder(ref, attempt));
    const start = found && (await withTimeout(world, SHOPPER_TIMEOUT_MS, startIn(world, process, found)));
    addHistory(world, `order ${ref.orderId}: pay → ${start?.status ?? "no answer"}`);
    recordAttempt(world, order, { status: start?.status ?? null, mustSucceed: false });
    if (!start) increment(tallies.unanswered, ref.orderId);
    if (start?.status !== "redirect") return null;
    if (!order.payments.includes(start.paymentId)) order.payments.push(start.paymentId);
    store.attachPayment?.(ref.orderId, start.paymentId);
    return service.sessionOf(start.paymentId);
  } catch (error) {
    increment(tallies.unanswered, ref.orderId);
    output.push(error instanceof Error ? error.message : String(error));
    addHistory(world, `order ${ref.orderId}: could not pay, ${codeOf(error)}`);
    return null;
  }
}

// A process that sleeps may answer a start days later; a process that was killed never does.
function startIn({ startsUnderWay }: SimulationWorld, process: SimulatedProcess, order: Order): Promise<CheckoutStart> {
  const { orderId } = order.ref;
  increment(startsUnderWay, orderId);
  const start = process.app.start(order);
  const end = () => increment(startsUnderWay, orderId, -1);
  void Promise.race([start, process.handle.exited]).then(end, end);
  return start;
}

function recordAttempt(
  { payAttempts, service }: SimulationWorld,
  { placed, payments }: SimulatedOrder,
  { status, mustSucceed }: Pick<PayAttempt, "status" | "mustSucceed">,
): void {
  const hasCompletedSession = payments.some((id) => (service.sessionOf(id)?.completedAt ?? null) !== null);
  payAttempts.push({ orderId: placed.ref.orderId, status, hasCompletedSession, mustSucceed });
}

/**
 * Ten minutes after the last fault, the shoppers of all open orders start to pay once more. The start must succeed; they do not pay. A process
 * that was idle since an outage lets one call through first: whoever presses in the same moment is asked to press again.
 */
export async function payAfterFaults(world: SimulationWorld): Promise<void> {
  const { clock, store, faultsEndAt, lastWakeAt, orders, tallies } = world;
  await clock.runUntil(outsideRestore(world, Math.max(faultsEndAt, lastWakeAt) + 10 * MINUTE));
  const starts = orders.map(async (order) => {
    const { ref, attempt } = order.placed;
    const process = anyAlive(world);
    const found = await store.adapter.findOrder(ref, attempt);
    if (!process || !found?.payable || found.paidBy !== null) return;
    const press = async (mayPressAgain: boolean): Promise<CheckoutStart | null> => {
      increment(tallies.starts, ref.orderId);
      try {
        return await withTimeout(world, SHOPPER_TIMEOUT_MS, process.app.start(found));
      } catch (error) {
        addHistory(world, `order ${ref.orderId}: could not be paid once more, ${codeOf(error)}`);
        if (!mayPressAgain || codeOf(error) !== "service_unavailable") return null;
        await clock.sleep(AGAIN_AFTER_MS);
        return await press(false);
      }
    };
    const start = await press(true);
    if (start?.status === "redirect" && !order.payments.includes(start.paymentId)) order.payments.push(start.paymentId);
    recordAttempt(world, order, { status: start?.status ?? null, mustSucceed: true });
  });
  void Promise.all(starts);
  await clock.runUntil(clock.now() + 2 * SHOPPER_TIMEOUT_MS);
}

function pay(world: SimulationWorld, session: SimulatedSession): void {
  const { random, service, hazards } = world;
  if (session.completedAt !== null) return;
  const wrong = happens(random, hazards.wrong) ? wrongTerms(world, session.paidTerms) : {};
  const transaction = service.complete(session, wrong);
  addHistory(world, `session ${session.id} is paid ${JSON.stringify(wrong)}`);
  sendEvent(world, "PAYMENT_SUCCEEDED", session);
  disputeAtRandom(world, transaction);
  payAgainAtRandom(world, session);
}

/** A page that the shopper left open takes the money a second time. */
function payAgainAtRandom(world: SimulationWorld, session: SimulatedSession): void {
  const { clock, moneyRandom, service, hazards } = world;
  if (!happens(moneyRandom, hazards.money.paysAgain)) return;
  clock.setTimer(1 + randomMs(moneyRandom, pick(moneyRandom, [SECOND, 20 * MINUTE])), () => {
    const transaction = service.completeAgain(session);
    addHistory(world, `session ${session.id} is paid a second time`);
    sendEvent(world, "PAYMENT_SUCCEEDED", session, transaction);
    disputeAtRandom(world, transaction);
  });
}

function wrongTerms({ random }: SimulationWorld, { amount, currency, account }: SessionTerms): Partial<SessionTerms> {
  return pick<Partial<SessionTerms>>(random, [
    { amount: amount - 1 },
    { amount: amount * 100 },
    { currency: currency === "XOF" ? "USD" : "XOF" },
    account === null ? { amount: amount + 1 } : { account: "acct_of_another_shop" },
    { environment: "live" },
    { reference: "of-another.shop" },
  ]);
}

async function returnToShop(world: SimulationWorld, paymentId: string): Promise<void> {
  const { clock, random, tallies } = world;
  for (let visit = 0; visit < 4 && happens(random, 0.5); visit += 1) {
    const process = anyAlive(world);
    const action = pick(random, ["returnFromPayment", "watch", "cancel"] as const);
    if (action === "returnFromPayment") increment(tallies.signals, paymentId);
    if (action === "watch") tallies.watched.add(paymentId);
    if (process) await withTimeout(world, SHOPPER_TIMEOUT_MS, process.app[action](paymentId)).catch(() => undefined);
    await clock.sleep(randomMs(random, 10 * SECOND));
  }
}
