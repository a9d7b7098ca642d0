import { codeOf, type Money } from "@tillkit/core";
import type { AskingStore } from "../stores/asking/asking-store.ts";
import type { BlindStore } from "../stores/blind/blind-store.ts";
import { happens, pick, upTo } from "./chance.ts";
import { announceRefund } from "./post-office.ts";
import {
  addTo,
  anyAlive,
  isStorm,
  MINUTE,
  note,
  SECOND,
  type SimulatedOrder,
  type SimulationWorld,
  within,
} from "./simulation-world.ts";

const PATIENCE_MS = 40 * SECOND;

/** What the owner of the shop does to one order meanwhile: edits it, closes it, gives money back, decides what is held. */
export async function ownShop(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, random } = world;
  const { edits, closes, refunds, dashboard, decides } = world.hazards.owner;
  const wishes = [
    { share: edits, act: edit },
    { share: closes, act: close },
    { share: refunds, act: refund },
    { share: dashboard, act: refundInDashboard },
    { share: decides, act: decide },
  ].filter(({ share }) => share > 0);
  if (wishes.length === 0) return;
  while (isStorm(world)) {
    await clock.sleep(upTo(random, 15 * MINUTE));
    for (const { share, act } of wishes) if (happens(random, share)) await act(world, order);
  }
}

async function edit(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, store } = world;
  const before = order.placed.attempt;
  const other = { minor: 2_500, currency: order.total.currency === "XOF" ? "USD" : "XOF" };
  const total: Money = pick(random, [
    { ...order.total, minor: order.total.minor + 100 },
    { ...order.total, minor: order.total.minor - 100 },
    order.totals[0]?.total ?? order.total,
    other,
  ]);
  if (order.closedAt !== null || total === order.total || store.probe.effects(order.placed.ref.orderId).length > 0)
    return;
  try {
    order.placed = await store.editTotal(order.placed.ref.orderId, total);
  } catch {
    return;
  }
  // Both platforms begin a new try for the new total, and refuse the old one for good.
  if (store.kind !== "blind") order.goneAttempts.push(before);
  order.total = total;
  order.totals.push({ total, from: world.clock.now() });
  note(world, `order ${order.placed.ref.orderId}: costs ${total.minor} ${total.currency} now`);
}

async function close(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, store, clock } = world;
  const { orderId } = order.placed.ref;
  if (store.probe.effects(orderId).length > 0) return;
  if (store.kind !== "tell-only" && happens(random, 0.5)) (store as AskingStore | BlindStore).payOutside(orderId);
  else store.cancelOrder(orderId);
  order.closedAt ??= clock.now();
  note(world, `order ${orderId}: ${store.probe.status(orderId)}`);
}

/** Part or all of it; clicks again, with a new key or the old one, while no answer comes. */
async function refund(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, clock } = world;
  const paymentId = pick(random, [order.payments[0], ...order.payments]);
  if (paymentId === undefined) return;
  const payment = await world.ledger.find({ id: paymentId });
  if (!payment) return;
  const amount = happens(random, 0.5) ? payment.owed : { ...payment.owed, minor: 100 };
  const wish = `${paymentId} ${amount.minor} of ${clock.now()}`;
  for (let click = 1; click <= 3; click += 1) {
    const process = anyAlive(world);
    const key = happens(random, 0.5) ? wish : `${wish} click ${click}`;
    const asked = process?.till.refund({ paymentId, amount, origin: pick(random, ["store", "policy"]), key });
    const answer = asked && (await within(world, PATIENCE_MS, asked).catch((error) => ({ state: codeOf(error) })));
    note(world, `payment ${paymentId}: refund of ${amount.minor} → ${answer?.state ?? "no answer"}`);
    if (answer?.state === "completed" || answer?.state.startsWith("refund_not")) return;
    await clock.sleep(upTo(random, 3 * MINUTE));
  }
}

async function refundInDashboard(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, service } = world;
  const session = service.sessions.find(({ key }) => key === pick(random, [order.payments[0], ...order.payments]));
  if (!session) return;
  const made = service.refundInDashboard(session, pick(random, [session.terms.amount, 100]));
  if (!made) return;
  note(world, `session ${session.id}: ${made.amount} given back in the dashboard, ${made.status}`);
  announceRefund(world, made);
}

async function decide(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, ledger, tallies } = world;
  for (const { id, state } of await ledger.siblings(order.placed.ref)) {
    if (state !== "review" && state !== "duplicate") continue;
    const process = anyAlive(world);
    const how = state === "review" && happens(random, 0.6) ? "accept" : "refundReview";
    addTo(tallies.signals, id);
    if (process) await within(world, PATIENCE_MS, process.till[how](id)).catch(() => undefined);
    note(world, `payment ${id}: the owner wants ${how}`);
  }
}
