import { codeOf, type Money, type Refund, type RefundRequest, shownPayment } from "@tillkit/core";
import type { AskingStore } from "../stores/asking/asking-store.ts";
import type { BlindStore } from "../stores/blind/blind-store.ts";
import { happens, pick, upTo } from "./chance.ts";
import { announceRefund } from "./post-office.ts";
import {
  addTo,
  anyAlive,
  HOUR,
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
  const { statuses, shopRefunds } = world.hazards.owner;
  const wishes = [
    { share: edits, act: edit },
    { share: closes, act: close },
    { share: refunds, act: refund },
    { share: dashboard, act: refundInDashboard },
    { share: decides, act: decide },
    { share: shopRefunds, act: refundInShop },
    { share: statuses, act: setStatus },
  ].filter(({ share }) => share > 0);
  if (wishes.length === 0) return;
  while (clock.now() < world.busyUntil) {
    await clock.sleep(upTo(random, 15 * MINUTE));
    for (const { share, act } of wishes) if (happens(random, share)) await act(world, order);
  }
}

async function edit(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, luck, store } = world;
  const before = order.placed.attempt;
  const other = { minor: 2_500, currency: order.total.currency === "XOF" ? "USD" : "XOF" };
  const picked: Money = pick(random, [
    { ...order.total, minor: order.total.minor + 100 },
    { ...order.total, minor: order.total.minor - 100 },
    order.totals[0]?.total ?? order.total,
    other,
  ]);
  // The same number in another currency is another total.
  const total = happens(luck, 0.2) ? { ...other, minor: order.total.minor } : picked;
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
  const paymentId = pick(world.random, [order.payments[0], ...order.payments]);
  if (paymentId !== undefined) await refundUntilAnswered(world, order, { paymentId, names: true });
}

/** The refund button of the shop's own screen: nobody names a payment there. */
async function refundInShop(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const shown = shownPayment(await world.ledger.siblings(order.placed.ref));
  if (shown) await refundUntilAnswered(world, order, { paymentId: shown.id, names: false });
}

type Meant = { readonly paymentId: string; readonly names: boolean };

async function refundUntilAnswered(world: SimulationWorld, order: SimulatedOrder, meant: Meant): Promise<void> {
  const { random, clock } = world;
  const { paymentId, names } = meant;
  const payment = await world.ledger.find({ id: paymentId });
  if (!payment) return;
  const amount = happens(random, 0.5) ? payment.amountDue : { ...payment.amountDue, minor: 100 };
  const wish = { paymentId, amount, origin: pick(random, ["store", "policy"] as const) };
  const name = `${paymentId} ${amount.minor} of ${clock.now()}`;
  const keys = [name];
  const shown = names ? null : world.store.probe.paidBy(order.placed.ref.orderId);
  const about = `${amount.minor} of payment ${paymentId}`;
  world.decisions.push({ about, paymentId: names ? paymentId : null, shown, keys });
  const before = order.books.length;
  const answered = await clickUntilAnswered(world, order, { wish, name, keys });
  if (!world.hazards.owner.insists) return;
  // Without an answer nobody clicks on a refund that the order shows by now.
  const isWanted = () => answered !== null || order.books.length === before;
  insist(world, () => (isWanted() ? clickRefund(world, order, { ...wish, key: answered ?? name }) : undefined));
}

type Clicks = { readonly wish: Omit<RefundRequest, "key">; readonly name: string; readonly keys: string[] };

/** The key that was answered, null when none was. */
async function clickUntilAnswered(
  world: SimulationWorld,
  order: SimulatedOrder,
  { wish, name, keys }: Clicks,
): Promise<string | null> {
  const { random, clock } = world;
  for (let click = 1; click <= 3; click += 1) {
    const key = happens(random, 0.5) ? name : `${name} click ${click}`;
    keys.push(key);
    const written = order.books.length;
    if (await clickRefund(world, order, { ...wish, key })) return key;
    await clock.sleep(upTo(random, 3 * MINUTE));
    // The order shows a refund by now: nobody clicks again.
    if (order.books.length > written) return null;
  }
  return null;
}

/** true: there was an answer that the owner can rely on. */
async function clickRefund(world: SimulationWorld, order: SimulatedOrder, wish: RefundRequest): Promise<boolean> {
  addTo(world.tallies.signals, wish.paymentId);
  const asked = anyAlive(world)?.till.refund({ ...wish, recordedRefunds: [...order.books] });
  const answer = asked && (await within(world, PATIENCE_MS, asked).catch((error) => ({ state: codeOf(error) })));
  note(world, `payment ${wish.paymentId}: refund of ${wish.amount.minor} → ${answer?.state ?? "no answer"}`);
  if (answer && "refundId" in answer) writeDown(world, order, answer);
  const state = answer?.state ?? "";
  return state === "completed" || state === "pending" || state.startsWith("refund_not");
}

function writeDown(world: SimulationWorld, { books }: SimulatedOrder, refund: Refund): void {
  const { paymentId, refundId, state, amount } = refund;
  if (refundId === null || (state !== "completed" && state !== "pending")) return;
  books.push(refundId);
  if (state === "completed") world.toldRefunds.push({ paymentId, refundId, status: state, minor: amount.minor });
}

/** The same click again after hours or days, when the service may have forgotten the key. */
function insist({ clock, luck }: SimulationWorld, click: () => unknown): void {
  for (const hours of [1, 26, 50]) {
    if (happens(luck, 0.6)) clock.setTimer(hours * HOUR + upTo(luck, HOUR), () => void click());
  }
}

/** What an owner does on the order's screen: the obvious act for a held order, or whatever comes to mind. */
async function setStatus(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { luck, store, clock } = world;
  if (store.kind !== "blind") return;
  const { orderId } = order.placed.ref;
  const status = pick(luck, ["processing", "processing", "completed", "cancelled", "trash", "pending"] as const);
  const shop = store as BlindStore;
  // A paid order is sent, cancelled or put away: nobody makes it unpaid again.
  if (status === "pending" && (store.probe.paidBy(orderId) !== null || order.closedAt !== null)) return;
  shop.setStatus(orderId, status);
  if (status !== "pending") order.closedAt ??= clock.now();
  note(world, `order ${orderId}: its owner sets it to ${status}`);
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
