import { codeOf, confirmForShopper, startCheckout, tellCancel, watchPayment } from "@tillkit/core";
import type { AskingStore } from "../stores/asking/asking-store.ts";
import { pick, upTo } from "./chance.ts";
import { postWebhook } from "./simulated-network.ts";
import { maybeEdit } from "./simulated-owner.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { SimulatedSession } from "./simulated-service.ts";
import {
  anyAlive,
  MINUTE,
  note,
  SECOND,
  type SimulatedOrder,
  type SimulationWorld,
  within,
} from "./simulation-world.ts";

/** One shopper and one order: pays, leaves, pays twice, pays late, comes back or not. */
export async function shopAround(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, random } = world;
  await clock.sleep(upTo(random, 5 * MINUTE));
  const tries = 1 + Math.floor(random.fraction() * 3);
  for (let time = 0; time < tries; time += 1) {
    const session = await pressPay(world, order);
    if (session) await onTheHostedPage(world, order, session);
    await maybeEdit(world, order);
    await clock.sleep(upTo(random, pick(random, [MINUTE, 60 * MINUTE])));
  }
}

async function pressPay(world: SimulationWorld, order: SimulatedOrder): Promise<SimulatedSession | null> {
  const process = anyAlive(world);
  if (!process) return null;
  try {
    const { ref, attempt } = order.placed;
    const found = await world.adapter.findOrder(ref, attempt);
    if (!found) return null;
    const start = await within(world, startCheckout(process.engine, found));
    note(world, `order ${ref.orderId}: pay → ${start?.say ?? "no answer"}`);
    if (start?.say !== "redirect") return null;
    if (!order.payments.includes(start.paymentId)) order.payments.push(start.paymentId);
    if (world.store.kind === "asking") (world.store as AskingStore).keepPayment(ref.orderId, start.paymentId);
    const session = [...world.service.sessions.values()].find(({ key }) => key === start.paymentId);
    if (session && !order.sessions.includes(session)) order.sessions.push(session);
    return session ?? null;
  } catch (error) {
    note(world, `order ${order.placed.ref.orderId}: could not pay, ${codeOf(error)}`);
    return null;
  }
}

async function onTheHostedPage(
  world: SimulationWorld,
  order: SimulatedOrder,
  session: SimulatedSession,
): Promise<void> {
  const { clock, random, service } = world;
  const chance = random.fraction();
  if (chance < 0.3) void postWebhook(world, service.event("PAYMENT_CREATED", session));
  if (chance < 0.1) void postWebhook(world, service.event("PAYMENT_FAILED", session));
  // A wallet may confirm long after the page expired.
  await clock.sleep(upTo(random, pick(random, [20 * SECOND, 10 * MINUTE, 100 * MINUTE])));
  if (random.fraction() < 0.75 && session.status !== "completed") {
    const wrong = random.fraction() < 0.05;
    const webhook = service.complete(session, wrong ? session.amount - 1 : undefined);
    note(
      world,
      `order ${order.placed.ref.orderId}: session ${session.id} is paid${wrong ? " with another amount" : ""}`,
    );
    void postWebhook(world, webhook);
  }
  void comeBack(world, session.key);
}

async function comeBack(world: SimulationWorld, paymentId: string): Promise<void> {
  const { clock, random } = world;
  for (let look = 0; look < 4 && random.fraction() < 0.6; look += 1) {
    const process = anyAlive(world);
    const how = pick(random, ["return", "watch", "cancel"] as const);
    const visits = { return: confirmForShopper, watch: watchPayment, cancel: tellCancel };
    const visit: (engine: SimulatedProcess["engine"], id: string) => Promise<unknown> = visits[how];
    if (process) await within(world, visit(process.engine, paymentId)).catch(() => undefined);
    await clock.sleep(upTo(random, 10 * SECOND));
  }
}
