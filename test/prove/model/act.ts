import {
  acceptReview,
  codeOf,
  confirmForShopper,
  type Engine,
  findingKey,
  recordCancel,
  runDue,
  startCheckout,
  watchPayment,
} from "@tillkit/core";
import { refundShown } from "../refund-shown.ts";
import { actAtService } from "./act-at-service.ts";
import { actOnLedger, recover } from "./act-on-ledger.ts";
import { actOnMoney } from "./act-on-money.ts";
import { deliver } from "./deliver.ts";
import { engineOf, type ModelFixture, type ModelOrder } from "./fixture.ts";
import type { ShopFault, Step, StepOf } from "./steps.ts";

const LATE_MS = 25_000;
const TOTAL_AFTER_ACCEPTANCE = 9_900;
/** With their retries, these refusals outlast any write that was sent before the edit and is still in flight. */
const WRITES_REFUSED = 8;

/** Performs one step. Its request continues in the background and may never be answered. */
export async function act(fixture: ModelFixture, step: Step): Promise<void> {
  // No two steps happen at the same time, so that the invariants can tell which was first.
  await fixture.clock.advance(step.kind === "reconcile" ? step.afterMs + 1 : 1);
  // No process runs while the ledger is replaced or its rows are deleted.
  if (step.kind === "restore" || step.kind === "erase") return await actOnLedger(fixture, step);
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
    case "recover":
      return recover(fixture, step.by);
    case "restore":
    case "erase":
      return;
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
      return await refundShown(engine, paymentId);
    default:
      return await actOnMoney(fixture, engine, { paymentId, to: step.to, by: step.by });
  }
}

/** The owner accepts the difference that the payment's page shows now. */
async function acceptShown(fixture: ModelFixture, engine: Engine, paymentId: string): Promise<unknown> {
  const finding = (await fixture.ledger.find({ id: paymentId }))?.finding;
  const seen = finding ? findingKey(finding) : "";
  fixture.recorder.acceptances.push({ paymentId, seen, at: fixture.clock.now() });
  return await acceptReview(engine, { paymentId, by: "owner", findingKey: seen });
}

async function acceptAndEdit(fixture: ModelFixture, engine: Engine, paymentId: string): Promise<void> {
  const ref = (await fixture.ledger.find({ id: paymentId }))?.ref;
  for (let write = 0; write < WRITES_REFUSED; write += 1) fixture.store.failNextWrite("unavailable");
  await acceptShown(fixture, engine, paymentId);
  const order = fixture.orders.find(({ placed }) => placed.ref.orderId === ref?.orderId);
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
