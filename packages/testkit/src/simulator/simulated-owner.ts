import { codeOf, refundPayment } from "@tillkit/core";
import { pick, upTo } from "./chance.ts";
import {
  anyAlive,
  MINUTE,
  note,
  SECOND,
  type SimulatedOrder,
  type SimulationWorld,
  within,
} from "./simulation-world.ts";

/** Between two tries to pay the owner may change the order or cancel it. */
export async function maybeEdit(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, store } = world;
  const { orderId } = order.placed.ref;
  const chance = random.fraction();
  if (chance < 0.1) {
    order.total = { ...order.total, minor: order.total.minor + 100 };
    order.totals.push(order.total);
    order.placed = await store.editTotal(orderId, order.total).catch(() => order.placed);
    note(world, `order ${orderId}: the total is now ${order.total.minor}`);
  } else if (chance < 0.14) {
    store.cancelOrder(orderId);
    order.cancelled = true;
    note(world, `order ${orderId}: cancelled`);
  }
}

/** The owner gives money back, part or all of it, and clicks again with a new key when no answer came. */
export async function maybeRefund(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, clock } = world;
  if (random.fraction() > 0.3) return;
  await clock.sleep(upTo(random, 60 * MINUTE));
  const paymentId = pick(random, [order.payments[0], ...order.payments]);
  if (paymentId === undefined) return;
  const minor = random.fraction() < 0.5 ? order.total.minor : 100;
  const amount = { minor, currency: order.total.currency };
  for (let click = 1; click <= 3; click += 1) {
    const process = anyAlive(world);
    const wish = { paymentId, amount, origin: "store", key: `${paymentId} refund ${minor} click ${click}` } as const;
    const asked = process && within(world, refundPayment(process.engine, wish));
    const answer = await asked?.catch((error) => ({ state: codeOf(error) }));
    note(world, `order ${order.placed.ref.orderId}: refund of ${minor} → ${answer?.state ?? "no answer"}`);
    if (answer?.state === "completed" || answer?.state.startsWith("refund_not")) return;
    await clock.sleep(upTo(random, 3 * MINUTE));
  }
}

/** The shop's machine has bad days: its writes fail, get lost or land late, or it is down. */
export async function disturb(world: SimulationWorld): Promise<void> {
  const { clock, random, store } = world;
  const wildness = pick(random, [0, 0.3, 0.8]);
  while (clock.now() < world.stormEndsAt - MINUTE) {
    await clock.sleep(upTo(random, 2 * MINUTE));
    if (random.fraction() > wildness) continue;
    const fault = pick(random, [
      "unavailable",
      "lost-before-effect",
      "lost-after-effect",
      "late",
      "late",
      "down",
    ] as const);
    note(world, `the shop: ${fault}`);
    if (fault === "down") {
      store.setDown(true);
      await clock.sleep(upTo(random, 5 * MINUTE));
      store.setDown(false);
    } else {
      store.failNextWrite(fault === "late" ? { lateMs: lateness(random) } : fault);
    }
  }
}

// Most often just after its sender gave up, when the next try is on its way.
function lateness(random: { fraction(): number }): number {
  return 14 * SECOND + upTo(random, pick(random, [10 * SECOND, 100 * SECOND]));
}
