import { createHash } from "node:crypto";
import {
  acceptReview,
  codeOf,
  confirmForShopper,
  type Engine,
  limits,
  receiveWebhook,
  recordCancel,
  refundPayment,
  refundReview,
  runDue,
  startCheckout,
  watchPayment,
} from "@tillkit/core";
import { bytesOf, type ModelEvent, signatureOf } from "./service.ts";
import type { Doing, ShopFault, Step } from "./steps.ts";
import { engineOf, type ModelOrder, type ModelWorld, paymentOf } from "./world.ts";

const LATE_MS = 25_000;
const ACCEPTED_AND_EDITED = 9_900;
/** Tried again and again they take longer than a write that was sent before the edit can live. */
const WRITES_REFUSED = 8;

/** Does one step. What it asks of us goes on in the background: whoever asked may never hear the answer. */
export async function act(world: ModelWorld, step: Step): Promise<void> {
  if (step.do === "reconcile") await world.clock.advance(step.afterMs);
  const work = begin(world, step);
  if (!work) return;
  const settled = work.then(
    () => undefined,
    (error: unknown) => hearError(world, error),
  );
  world.underWay.add(settled);
  void settled.then(() => world.underWay.delete(settled));
}

function begin(world: ModelWorld, step: Step): Promise<unknown> | undefined {
  switch (step.do) {
    case "start":
      return one(world.orders, step.order, (order) => pressPay(world, order, step.by));
    case "deliver":
      return one(world.service.events, step.event, (event) => deliver(world, event, step));
    case "visit":
      return one(world.payments, step.payment, (paymentId) => visit(world, paymentId, step));
    case "reconcile":
      return runDue(engineOf(world, step.by));
    case "edit":
      return one(world.orders, step.order, (order) => edit(world, order, step.minor));
    case "complete cart":
      return one(world.orders, step.order, (order) => completeCart(world, order));
    case "close":
      return one(world.orders, step.order, (order) => close(world, order));
    case "take cash":
      return one(world.orders, step.order, (order) => takeCash(world, order));
    case "restart":
      world.diary.retries += 1;
      return void world.restart(step.by);
    case "shop fails":
      return void world.store.failNextWrite(faultOf(step.how));
    default:
      return void atTheService(world, step);
  }
}

type AtTheService = Doing<"pay" | "dashboard refund" | "rotate secret" | "service fails">;

function atTheService({ service, payments, diary, clock }: ModelWorld, step: AtTheService): void {
  if (step.do === "rotate secret") service.rotateSecret();
  else if (step.do === "service fails") {
    diary.retries += step.calls;
    service.failNext(step.how, step.calls);
  } else {
    // Only a page that a shopper was sent to can be paid, and not for ever.
    const known = service.sessions.filter(
      ({ key, expiresAt }) => payments.includes(key) && clock.now() < expiresAt + limits.graceMs,
    );
    const session = known[step.session % Math.max(1, known.length)];
    if (session && step.do === "pay") service.pay(session, step.wrong);
    else if (session && step.do === "dashboard refund") service.refundInDashboard(session, step.all);
  }
}

async function pressPay(world: ModelWorld, { placed: { ref, attempt } }: ModelOrder, by: number): Promise<void> {
  const found = await world.store.adapter.findOrder(ref, attempt);
  if (!found) return;
  world.diary.starts += 1;
  // An older payment may have to be looked at first.
  for (const id of world.payments) world.diary.signal(id);
  const start = await startCheckout(engineOf(world, by), found);
  if (start.status !== "redirect") return;
  if (!world.payments.includes(start.paymentId)) world.payments.push(start.paymentId);
  if (world.store.kind === "callback") world.store.attachPayment(ref.orderId, start.paymentId);
}

async function deliver(world: ModelWorld, event: ModelEvent, { as, by }: Doing<"deliver">): Promise<void> {
  const thin = as === "thin";
  const written = bytesOf(event, { id: as === "fresh id" ? "again" : "first", thin });
  const secret = as === "forged" ? "whsec_of_a_thief" : event.secret;
  const bytes = as === "tampered" ? written.with(written.length - 3, 0x20) : written;
  const signature = signatureOf(written, secret);
  const paymentId = thin ? null : event.session.key;
  for (let copy = 0; copy < (as === "twice" ? 2 : 1); copy += 1) {
    world.diary.signal(paymentId ?? "");
    const genuine = as !== "tampered" && world.service.secrets().includes(secret);
    const { status } = await receiveWebhook(engineOf(world, by), { endpointId: "main", bytes, signature });
    const digest = createHash("sha256").update(bytes).digest("hex");
    const kept = (await world.ledger.delivery("main", digest)) !== null;
    world.diary.webhooks.push({ at: world.clock.now(), status, genuine, stored: kept, paymentId });
  }
}

async function visit(world: ModelWorld, paymentId: string, step: Doing<"visit">): Promise<unknown> {
  const engine = engineOf(world, step.by);
  world.diary.signal(paymentId);
  switch (step.to) {
    case "return":
      return await confirmForShopper(engine, paymentId);
    case "watch":
      return await watchPayment(engine, paymentId);
    case "cancel":
      return await recordCancel(engine, paymentId);
    case "accept":
      return await acceptReview(engine, { paymentId, by: "owner" });
    case "accept and edit":
      return await acceptAndEdit(world, engine, paymentId);
    case "give back":
      return await refundReview(engine, { paymentId, by: "owner" });
    default: {
      const { amountDue } = await paymentOf(world, paymentId);
      if (step.to === "refund unheard") atTheService(world, { do: "service fails", how: "answer lost", calls: 1 });
      const amount = step.to === "refund all" ? amountDue : { ...amountDue, minor: 100 };
      const key = `${paymentId} ${step.to} ${step.by}`;
      return await refundPayment(engine, { paymentId, amount, key, origin: "store" });
    }
  }
}

async function acceptAndEdit(world: ModelWorld, engine: Engine, paymentId: string): Promise<void> {
  const { ref } = await paymentOf(world, paymentId);
  for (let write = 0; write < WRITES_REFUSED; write += 1) world.store.failNextWrite("unavailable");
  await acceptReview(engine, { paymentId, by: "owner" });
  const order = world.orders.find(({ placed }) => placed.ref.orderId === ref.orderId);
  if (order) await edit(world, order, ACCEPTED_AND_EDITED);
}

async function edit({ store, clock }: ModelWorld, order: ModelOrder, minor: number): Promise<void> {
  const before = order.placed;
  const total = { minor, currency: order.totals[0]?.total.currency ?? "XOF" };
  const edited = await store.editTotal(before.ref.orderId, total).catch(() => null);
  // An owner who finds the cart locked for half a minute gives up.
  if (edited === null) return;
  order.placed = edited;
  order.totals.push({ total, from: clock.now() });
  if (order.placed.attempt !== before.attempt) order.closedAttempts.push(before.attempt);
}

async function close({ store, clock }: ModelWorld, order: ModelOrder): Promise<void> {
  store.cancelOrder(order.placed.ref.orderId);
  order.closedAt ??= clock.now();
}

// Where a shop knows no other way to pay, the owner has none either; nobody pays what is shown as paid.
async function takeCash({ store, clock }: ModelWorld, order: ModelOrder): Promise<void> {
  const { orderId } = order.placed.ref;
  if (store.kind === "write-only" || order.closedAt !== null || store.probe.effects(orderId).length > 0) return;
  store.payOutside(orderId);
  order.closedAt = clock.now();
}

async function completeCart(world: ModelWorld, { placed }: ModelOrder): Promise<void> {
  for (const id of world.payments) world.diary.signal(id);
  if (world.store.kind === "callback") await world.store.completeCart(placed.ref.orderId);
}

/** Whoever gave a code knew what happened; everything else is a mistake of ours. */
function hearError({ diary }: ModelWorld, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (codeOf(error) === "unexpected") diary.unexpected.push(text);
  else diary.output.push(error instanceof Error ? error.message : text);
}

function one<Item, Answer>(items: readonly Item[], index: number, work: (item: Item) => Answer): Answer | undefined {
  const item = items[index % Math.max(1, items.length)];
  return item === undefined ? undefined : work(item);
}

function faultOf(how: ShopFault) {
  return how === "late" ? { lateMs: LATE_MS } : how;
}
