import { codeOf } from "@tillkit/core";
import type { PayAttempt } from "../invariants/evidence.ts";
import type { AskingStore } from "../stores/asking/asking-store.ts";
import { happens, pick, upTo } from "./chance.ts";
import { announce } from "./post-office.ts";
import type { SessionTerms, SimulatedSession } from "./simulated-service.ts";
import {
  addTo,
  anyAlive,
  MINUTE,
  note,
  SECOND,
  type SimulatedOrder,
  type SimulationWorld,
  within,
} from "./simulation-world.ts";

const PATIENCE_MS = 30 * SECOND;

/** One shopper and one order: pays, leaves, pays twice, pays late, opens two tabs, comes back or not. */
export async function shopAround(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, random } = world;
  await clock.sleep(upTo(random, 3 * MINUTE));
  const tries = pick(random, [1, 1, 1, 2, 3]);
  for (let time = 0; time < tries; time += 1) {
    const tabs = pick(random, [1, 1, 1, 2]);
    await Promise.all(Array.from({ length: tabs }, () => oneTab(world, order)));
    await clock.sleep(upTo(random, pick(random, [MINUTE, 40 * MINUTE])));
  }
}

async function oneTab(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const session = await pressPay(world, order);
  if (!session) return;
  const { clock, random } = world;
  if (happens(random, 0.2)) announce(world, "PAYMENT_CREATED", session);
  if (happens(random, 0.1)) announce(world, "PAYMENT_FAILED", session);
  // A wallet may confirm long after the page expired, while the shopper is elsewhere.
  const [isLate, pays] = [happens(random, 0.1), happens(random, 0.8)];
  if (isLate && pays) clock.setTimer(upTo(random, 100 * MINUTE), () => pay(world, session));
  else {
    await clock.sleep(upTo(random, pick(random, [20 * SECOND, 5 * MINUTE])));
    if (pays) pay(world, session);
  }
  await comeBack(world, session.key);
}

async function pressPay(world: SimulationWorld, order: SimulatedOrder): Promise<SimulatedSession | null> {
  const process = anyAlive(world);
  if (!process) return null;
  const { store, service, output, tallies } = world;
  const { ref, attempt } = order.placed;
  addTo(tallies.starts, ref.orderId);
  try {
    const found = await within(world, PATIENCE_MS, store.adapter.findOrder(ref, attempt));
    const start = found && (await within(world, PATIENCE_MS, process.till.start(found)));
    note(world, `order ${ref.orderId}: pay → ${start?.status ?? "no answer"}`);
    noteAttempt(world, order, start?.status ?? null, false);
    if (!start) addTo(tallies.unanswered, ref.orderId);
    if (start?.status !== "redirect") return null;
    if (!order.payments.includes(start.paymentId)) order.payments.push(start.paymentId);
    if (store.kind === "asking") (store as AskingStore).keepPayment(ref.orderId, start.paymentId);
    return service.sessionOf(start.paymentId);
  } catch (error) {
    addTo(tallies.unanswered, ref.orderId);
    output.push(error instanceof Error ? error.message : String(error));
    note(world, `order ${ref.orderId}: could not pay, ${codeOf(error)}`);
    return null;
  }
}

function noteAttempt(
  { payAttempts, service }: SimulationWorld,
  { placed, payments }: SimulatedOrder,
  say: PayAttempt["status"],
  mustWork: boolean,
): void {
  const hasMoney = payments.some((id) => (service.sessionOf(id)?.completedAt ?? null) !== null);
  payAttempts.push({ orderId: placed.ref.orderId, status: say, hasMoney, mustWork });
}

/** Ten minutes after the last fault: shoppers whose orders are still open press pay once more, and nobody pays. */
export async function payOnceMore(world: SimulationWorld): Promise<void> {
  const { clock, store, stormEndsAt, orders, tallies } = world;
  await clock.runUntil(stormEndsAt + 10 * MINUTE);
  const presses = orders.map(async (order) => {
    const { ref, attempt } = order.placed;
    const process = anyAlive(world);
    const found = await store.adapter.findOrder(ref, attempt);
    if (!process || !found?.payable || found.paidBy !== null) return;
    addTo(tallies.starts, ref.orderId);
    const start = await within(world, PATIENCE_MS, process.till.start(found)).catch((error) => {
      note(world, `order ${ref.orderId}: could not be paid once more, ${codeOf(error)}`);
      return null;
    });
    if (start?.status === "redirect" && !order.payments.includes(start.paymentId)) order.payments.push(start.paymentId);
    noteAttempt(world, order, start?.status ?? null, true);
  });
  void Promise.all(presses);
  await clock.runUntil(clock.now() + 2 * PATIENCE_MS);
}

function pay(world: SimulationWorld, session: SimulatedSession): void {
  const { random, service, hazards } = world;
  if (session.completedAt !== null) return;
  const wrong = happens(random, hazards.wrong) ? wrongTerms(world, session.terms) : {};
  service.complete(session, wrong);
  note(world, `session ${session.id} is paid ${JSON.stringify(wrong)}`);
  announce(world, "PAYMENT_SUCCEEDED", session);
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

async function comeBack(world: SimulationWorld, paymentId: string): Promise<void> {
  const { clock, random, tallies } = world;
  for (let look = 0; look < 4 && happens(random, 0.5); look += 1) {
    const process = anyAlive(world);
    const how = pick(random, ["comeBack", "watch", "cancel"] as const);
    if (how === "comeBack") addTo(tallies.signals, paymentId);
    if (how === "watch") tallies.watched.add(paymentId);
    if (process) await within(world, PATIENCE_MS, process.till[how](paymentId)).catch(() => undefined);
    await clock.sleep(upTo(random, 10 * SECOND));
  }
}
