import { createHash } from "node:crypto";
import {
  acceptReview,
  codeOf,
  confirmForShopper,
  type Engine,
  findingKey,
  limits,
  receiveWebhook,
  recordCancel,
  refundPayment,
  refundReview,
  runDue,
  startCheckout,
  watchPayment,
} from "@tillkit/core";
import { engineOf, type ModelFixture, type ModelOrder, paymentOf } from "./fixture.ts";
import { bytesOf, type ModelEvent, signatureOf } from "./service.ts";
import type { ShopFault, Step, StepOf } from "./steps.ts";

const LATE_MS = 25_000;
const TOTAL_AFTER_ACCEPTANCE = 9_900;
/** With their retries, these refusals outlast any write that was sent before the edit and is still in flight. */
const WRITES_REFUSED = 8;

/** Performs one step. Its request continues in the background and may never be answered. */
export async function act(fixture: ModelFixture, step: Step): Promise<void> {
  if (step.kind === "reconcile") await fixture.clock.advance(step.afterMs);
  const work = startStep(fixture, step);
  if (!work) return;
  const settled = work.then(
    () => undefined,
    (error: unknown) => recordError(fixture, error),
  );
  fixture.pending.add(settled);
  void settled.then(() => fixture.pending.delete(settled));
}

function startStep(fixture: ModelFixture, step: Step): Promise<unknown> | undefined {
  switch (step.kind) {
    case "start":
      return pickItem(fixture.orders, step.order, (order) => pressPay(fixture, order, step.by));
    case "deliver":
      return pickItem(fixture.service.events, step.event, (event) => deliver(fixture, event, step));
    case "visit":
      return pickItem(fixture.payments, step.payment, (paymentId) => visit(fixture, paymentId, step));
    case "reconcile":
      return runDue(engineOf(fixture, step.by));
    case "edit":
      return pickItem(fixture.orders, step.order, (order) => edit(fixture, order, step.minor));
    case "complete cart":
      return pickItem(fixture.orders, step.order, (order) => completeCart(fixture, order));
    case "close":
      return pickItem(fixture.orders, step.order, (order) => close(fixture, order));
    case "take cash":
      return pickItem(fixture.orders, step.order, (order) => takeCash(fixture, order));
    case "restart":
      fixture.recorder.retries += 1;
      return void fixture.restart(step.by);
    case "shop fails":
      return void fixture.store.failNextWrite(faultOf(step.how));
    default:
      return void actAtService(fixture, step);
  }
}

type ServiceStep = StepOf<"pay" | "dashboard refund" | "rotate secret" | "service fails">;

function actAtService({ service, payments, recorder, clock }: ModelFixture, step: ServiceStep): void {
  if (step.kind === "rotate secret") service.rotateSecret();
  else if (step.kind === "service fails") {
    recorder.retries += step.calls;
    service.failNext(step.how, step.calls);
  } else {
    // Only a session that a shopper was sent to can be paid, and only for a limited time.
    const known = service.sessions.filter(
      ({ key, expiresAt }) => payments.includes(key) && clock.now() < expiresAt + limits.graceMs,
    );
    const session = known[step.session % Math.max(1, known.length)];
    if (session && step.kind === "pay") service.pay(session, step.wrong);
    else if (session && step.kind === "dashboard refund") service.refundInDashboard(session, step.all);
  }
}

async function pressPay(fixture: ModelFixture, { placed: { ref, attempt } }: ModelOrder, by: number): Promise<void> {
  const found = await fixture.store.adapter.findOrder(ref, attempt);
  if (!found) return;
  fixture.recorder.starts += 1;
  // The engine may verify older payments first.
  for (const id of fixture.payments) fixture.recorder.signal(id);
  const start = await startCheckout(engineOf(fixture, by), found);
  if (start.status !== "redirect") return;
  if (!fixture.payments.includes(start.paymentId)) fixture.payments.push(start.paymentId);
  if (fixture.store.kind === "callback") fixture.store.attachPayment(ref.orderId, start.paymentId);
}

async function deliver(fixture: ModelFixture, event: ModelEvent, { as, by }: StepOf<"deliver">): Promise<void> {
  const withoutIds = as === "thin";
  const signedBytes = bytesOf(event, { id: as === "fresh id" ? "again" : "first", withoutIds });
  const secret = as === "forged" ? "whsec_of_a_thief" : event.secret;
  const bytes = as === "tampered" ? signedBytes.with(signedBytes.length - 3, 0x20) : signedBytes;
  const signature = signatureOf(signedBytes, secret);
  const paymentId = withoutIds ? null : event.session.key;
  for (let copy = 0; copy < (as === "twice" ? 2 : 1); copy += 1) {
    fixture.recorder.signal(paymentId);
    const genuine = as !== "tampered" && fixture.service.secrets().includes(secret);
    const { status } = await receiveWebhook(engineOf(fixture, by), { endpointId: "main", bytes, signature });
    const digest = createHash("sha256").update(bytes).digest("hex");
    const stored = (await fixture.ledger.delivery("main", digest)) !== null;
    fixture.recorder.webhooks.push({ at: fixture.clock.now(), status, genuine, stored, paymentId });
  }
}

async function visit(fixture: ModelFixture, paymentId: string, step: StepOf<"visit">): Promise<unknown> {
  const engine = engineOf(fixture, step.by);
  fixture.recorder.signal(paymentId);
  switch (step.to) {
    case "return":
      return await confirmForShopper(engine, paymentId);
    case "watch":
      return await watchPayment(engine, paymentId);
    case "cancel":
      return await recordCancel(engine, paymentId);
    case "accept":
      return await acceptShown(fixture, engine, paymentId);
    case "accept and edit":
      return await acceptAndEdit(fixture, engine, paymentId);
    case "refund review":
      return await refundReview(engine, { paymentId, by: "owner" });
    default: {
      const { amountDue } = await paymentOf(fixture, paymentId);
      if (step.to === "refund unheard") actAtService(fixture, { kind: "service fails", how: "answer lost", calls: 1 });
      const amount = step.to === "refund all" ? amountDue : { ...amountDue, minor: 100 };
      const key = `${paymentId} ${step.to} ${step.by}`;
      return await refundPayment(engine, { paymentId, amount, key, origin: "store" });
    }
  }
}

/** The owner accepts the difference that the payment's page shows now. */
async function acceptShown(fixture: ModelFixture, engine: Engine, paymentId: string): Promise<unknown> {
  const { finding } = await paymentOf(fixture, paymentId);
  return await acceptReview(engine, { paymentId, by: "owner", seen: finding ? findingKey(finding) : "" });
}

async function acceptAndEdit(fixture: ModelFixture, engine: Engine, paymentId: string): Promise<void> {
  const { ref } = await paymentOf(fixture, paymentId);
  for (let write = 0; write < WRITES_REFUSED; write += 1) fixture.store.failNextWrite("unavailable");
  await acceptShown(fixture, engine, paymentId);
  const order = fixture.orders.find(({ placed }) => placed.ref.orderId === ref.orderId);
  if (order) await edit(fixture, order, TOTAL_AFTER_ACCEPTANCE);
}

async function edit({ store, clock }: ModelFixture, order: ModelOrder, minor: number): Promise<void> {
  const before = order.placed;
  const total = { minor, currency: order.totals[0]?.total.currency ?? "XOF" };
  const edited = await store.editTotal(before.ref.orderId, total).catch(() => null);
  // The edit fails if the cart stays locked for 30 seconds.
  if (edited === null) return;
  order.placed = edited;
  order.totals.push({ total, from: clock.now() });
  if (order.placed.attempt !== before.attempt) order.closedAttempts.push(before.attempt);
}

async function close({ store, clock }: ModelFixture, order: ModelOrder): Promise<void> {
  store.cancelOrder(order.placed.ref.orderId);
  order.closedAt ??= clock.now();
}

// A write-only shop has no other payment method, and a closed or paid order cannot be paid with cash.
async function takeCash({ store, clock }: ModelFixture, order: ModelOrder): Promise<void> {
  const { orderId } = order.placed.ref;
  if (store.kind === "write-only" || order.closedAt !== null || store.probe.effects(orderId).length > 0) return;
  store.payOutside(orderId);
  order.closedAt = clock.now();
}

async function completeCart(fixture: ModelFixture, { placed }: ModelOrder): Promise<void> {
  for (const id of fixture.payments) fixture.recorder.signal(id);
  if (fixture.store.kind === "callback") await fixture.store.completeCart(placed.ref.orderId);
}

/** Errors with a code are expected; all others are bugs. */
function recordError({ recorder }: ModelFixture, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (codeOf(error) === "unexpected") recorder.unexpected.push(text);
  else recorder.output.push(error instanceof Error ? error.message : text);
}

function pickItem<Item, Answer>(
  items: readonly Item[],
  index: number,
  work: (item: Item) => Answer,
): Answer | undefined {
  const item = items[index % Math.max(1, items.length)];
  return item === undefined ? undefined : work(item);
}

function faultOf(how: ShopFault) {
  return how === "late" ? { lateMs: LATE_MS } : how;
}
