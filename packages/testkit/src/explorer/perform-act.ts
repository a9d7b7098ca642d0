import type { Money, RefundRequest } from "@tillkit/core";
import { forgetLedger, recover } from "../simulator/ledger-accidents.ts";
import { decideOnPage, openPage } from "../simulator/payment-page.ts";
import { codeFor, type SimulatedTransaction } from "../simulator/service-readings.ts";
import { clickRefund } from "../simulator/simulated-owner.ts";
import { startPaying } from "../simulator/simulated-shopper.ts";
import { increment, type SimulationWorld, withTimeout } from "../simulator/simulation-world.ts";
import {
  deliver,
  disputeEvent,
  refundEvent,
  type SentEvent,
  sessionEvent,
  transactionEvent,
  webhookOf,
} from "../simulator/webhook-sender.ts";
import type { Act } from "./act.ts";
import {
  changeService,
  changeShop,
  orderOf,
  ownerScreenOf,
  paymentOf,
  seenBy,
  sessionOf,
  transactionOf,
} from "./act-targets.ts";
import type { Stage } from "./stage.ts";

type ActOf<Kind extends Act["do"]> = Extract<Act, { readonly do: Kind }>;

/** Resolves when the act is over, which may take as long as the answer of the process. */
export async function performAct(stage: Stage, act: Act): Promise<void> {
  const handler = HANDLERS[act.do] as (stage: Stage, act: Act) => unknown;
  await handler(stage, act);
}

const HANDLERS: { readonly [Kind in Act["do"]]: (stage: Stage, act: ActOf<Kind>) => unknown } = {
  start: async (stage, { order = 0, via }) => {
    await startPaying(seenBy(stage, via), orderOf(stage, order));
  },
  pay: (stage, { payment, wrong = {} }) => {
    stage.world.service.complete(sessionOf(stage, payment), wrong);
    changeService(stage, "pay", payment);
  },
  "pay-again": (stage, { payment }) => {
    stage.world.service.completeAgain(sessionOf(stage, payment));
    changeService(stage, "pay-again", payment);
  },
  deliver: async (stage, { event = "PAYMENT_SUCCEEDED", payment, transaction = 0, via }) => {
    const session = sessionOf(stage, payment);
    await deliverEvent(stage, via, sessionEvent(stage.world, event, session, session.transactions[transaction]));
  },
  return: async (stage, { payment, via }) => {
    const id = paymentOf(stage, payment);
    increment(stage.world.tallies.signals, id);
    await ask(stage, via, (app) => app.returnFromPayment(id));
  },
  watch: async (stage, { payment, via }) => {
    const id = paymentOf(stage, payment);
    stage.world.tallies.watched.add(id);
    await ask(stage, via, (app) => app.watch(id));
  },
  cancel: async (stage, { payment, via }) => {
    await ask(stage, via, (app) => app.cancel(paymentOf(stage, payment)));
  },
  close: async (stage, { as = "cancelled", order = 0 }) => {
    const { world } = stage;
    const closed = orderOf(stage, order);
    const { orderId } = closed.placed.ref;
    // An owner closes no paid order.
    if (world.store.probe.effects(orderId).length > 0) return;
    if (as === "trash") ownerScreenOf(world).trash(orderId);
    else
      await (as === "cash" && world.store.payOutside
        ? world.store.payOutside(orderId)
        : world.store.cancelOrder(orderId));
    closed.closedAt ??= world.clock.now();
    changeShop(stage, `close ${as} ${orderId}`);
  },
  "set-status": (stage, { status, order = 0 }) => {
    const { world } = stage;
    const changed = orderOf(stage, order);
    ownerScreenOf(world).setStatus(changed.placed.ref.orderId, status);
    if (status !== "pending") changed.closedAt ??= world.clock.now();
    changeShop(stage, `status ${status}`);
  },
  edit: async (stage, { minor, order = 0 }) => {
    const { world } = stage;
    const edited = orderOf(stage, order);
    const { ref, attempt } = edited.placed;
    if (world.store.probe.effects(ref.orderId).length > 0 || edited.closedAt !== null) return;
    edited.total = { ...edited.total, minor };
    edited.placed = await world.store.editTotal(ref.orderId, edited.total);
    if (edited.placed.attempt !== attempt) edited.closedAttempts.push(attempt);
    edited.totals.push({ total: edited.total, from: world.clock.now() });
    changeShop(stage, `edit ${minor}`);
  },
  refund: async (stage, { key, minor, payment, origin = "store", decision = key, via }) => {
    const paymentId = paymentOf(stage, payment);
    const stored = await stage.world.ledger.find({ id: paymentId });
    if (!stored) return;
    const amount: Money = minor === undefined ? stored.amountDue : { ...stored.amountDue, minor };
    recordDecision(stage.world, { decision, key, paymentId, amount, origin });
    const order = stage.world.orders.find(({ payments }) => payments.includes(paymentId));
    if (order) await clickRefund(seenBy(stage, via), order, { paymentId, amount, origin, key });
  },
  "refund-in-dashboard": async (stage, { minor, payment, transaction = 0, via }) => {
    const of = transactionOf(stage, payment, transaction);
    await refundInDashboard(stage, of, minor ?? of.amount, via);
  },
  decide: async (stage, { choice, payment, via }) => {
    const view = await openPage(seenBy(stage, via), paymentOf(stage, payment));
    if (view !== null) await decideOnPage(seenBy(stage, via), view, choice);
  },
  dispute: async (stage, { state, payment, transaction = 0, via }) => {
    const { world } = stage;
    const of = transactionOf(stage, payment, transaction);
    const known = world.service.disputes.find((dispute) => dispute.transaction === of);
    const dispute = known ?? {
      id: `dp_${of.id}`,
      transaction: of,
      amount: of.amount,
      currency: of.currency,
      version: 0,
      state,
    };
    if (!known) world.service.disputes.push(dispute);
    dispute.version += 1;
    dispute.state = state;
    changeService(stage, `dispute ${state}`, payment);
    await deliverEvent(stage, via, disputeEvent(world, dispute));
  },
  "till-sells": async (stage, { payment, via }) => {
    const { service, clock, hazards } = stage.world;
    const { amount, currency } = sessionOf(stage, payment).requestedTerms;
    const id = `tx_till_${service.transactions.length}`;
    const sale = {
      id,
      code: codeFor(id),
      session: null,
      amount,
      currency,
      account: hazards.account,
      completedAt: clock.now(),
    };
    service.transactions.push(sale);
    changeService(stage, "till-sells", payment);
    await deliverEvent(stage, via, transactionEvent(stage.world, "PAYMENT_SUCCEEDED", sale));
  },
  "till-refunds": async (stage, { via }) => {
    const sale = stage.world.service.transactions.find(({ session }) => session === null);
    if (sale) await refundInDashboard(stage, sale, sale.amount, via);
  },
  "back-up": ({ world }) => world.ledger.takeBackup(),
  restore: async (stage) => {
    const restored = stage.world.ledger.restore();
    stage.world.clock.waitFor(restored);
    await restored;
    stage.restartAll();
    forgetLedger(stage.world);
    stage.cells.change("rows", "restored");
    stage.cells.change("jobs", "restored");
  },
  recover: async (stage, { via }) => await recover(seenBy(stage, via)),
  "newer-job": async ({ world, cells }) => {
    const job = {
      kind: "kind-of-a-newer-version" as "confirm",
      storeId: world.store.storeId,
      paymentId: null,
      payload: "",
      dueAt: world.clock.now(),
    };
    await world.ledger.commit({ jobs: [job], timeline: [] });
    cells.change("jobs", "newer");
  },
};

/** How long somebody outside waits for an answer. */
const PATIENCE_MS = 30_000;

async function ask(
  stage: Stage,
  via: Act["via"],
  request: (app: Stage["processes"][number]["app"]) => Promise<unknown>,
): Promise<void> {
  const world = seenBy(stage, via);
  const app = world.processes[0]?.app;
  if (app) await withTimeout(world, PATIENCE_MS, request(app)).catch(() => undefined);
}

async function deliverEvent(stage: Stage, via: Act["via"], event: SentEvent): Promise<void> {
  await deliver(seenBy(stage, via), webhookOf(stage.world, event));
}

async function refundInDashboard(
  stage: Stage,
  transaction: SimulatedTransaction,
  minor: number,
  via: Act["via"],
): Promise<void> {
  const made = stage.world.service.refundInDashboard(transaction, minor);
  if (!made) return;
  stage.cells.change("service", `dashboard ${stage.world.clock.now()} ${transaction.id} ${minor}`);
  await deliverEvent(stage, via, refundEvent(stage.world, made));
}

function recordDecision(
  { decisions, orders, clock, refundClicks }: SimulationWorld,
  clicked: {
    readonly decision: string;
    readonly key: string;
    readonly paymentId: string;
    readonly amount: Money;
    readonly origin: RefundRequest["origin"];
  },
): void {
  const { decision, key, paymentId, amount, origin } = clicked;
  const subject = `${amount.minor} of payment ${paymentId} by ${decision}`;
  const keys = [key];
  const known = decisions.find((one) => one.subject === subject);
  if (known) (known.keys as string[]).push(key);
  else decisions.push({ subject, paymentId, shownPaymentId: null, keys, origin });
  const order = orders.find(({ payments }) => payments.includes(paymentId));
  if (order) refundClicks.push({ order, request: { paymentId, amount, origin }, keys, at: clock.now() });
}
