import type { Money, OrderRef } from "@tillkit/core";
import type { DisputeOutcome } from "@tillkit/core/ledger";
import type { PlacedOrder } from "@tillkit/testkit";
import { PATIENCE_MS } from "../../waiting/patience.ts";
import { type Activity, type KillFixture, wait } from "./fixture.ts";
import type { StoreKind } from "./shop.ts";

/** An order with the changes that its shopper and its owner made. */
export type TrackedOrder = {
  readonly kind: StoreKind;
  placed: PlacedOrder;
  readonly ref: OrderRef;
  readonly totals: { readonly total: Money; readonly from: number }[];
  /** The attempts that the shop replaced. */
  readonly closedAttempts: string[];
};

export type StartedPayment = { readonly paymentId: string; readonly sessionId: string };

/** A dispute at the service, of the card payment that this payment received. */
export type TrackedDispute = { readonly id: string; readonly paymentId: string; isLost: boolean };

/** The actions of shoppers and owners while any answer may be lost. */
export type ShopActions = {
  readonly orders: readonly TrackedOrder[];
  place(kind: StoreKind, minor?: number): Promise<TrackedOrder>;
  edit(order: TrackedOrder, minor: number): Promise<void>;
  /** The shopper presses Pay until a hosted page opens. Returns null if the order is already paid. */
  startPayment(order: TrackedOrder): Promise<StartedPayment | null>;
  requirePayment(order: TrackedOrder): Promise<StartedPayment>;
  pay(payment: StartedPayment, outcome?: "completed" | "failed" | "pending", method?: "wave" | "card"): Promise<string>;
  readonly disputes: readonly TrackedDispute[];
  /** The cardholder disputes this amount, or the whole payment. */
  dispute(payment: StartedPayment, transactionId: string, amount?: number): Promise<TrackedDispute>;
  /** Null: the dispute ends without an outcome. */
  closeDispute(dispute: TrackedDispute, outcome: DisputeOutcome | null): Promise<void>;
  /** A browser opens one of the links of the hosted page. */
  openLink(payment: StartedPayment, link: "success_url" | "cancel_url"): Promise<void>;
  /** Advances the time from one due job to the next until the condition holds. */
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<void>;
  untilPaid(order: TrackedOrder): Promise<void>;
  untilState(payment: StartedPayment, state: string): Promise<void>;
  /** Runs everything that is due within this time. */
  settle(ms: number): Promise<void>;
};

/** Time advances in steps of at least this length. */
export const TIME_STEP_MS = 5_000;
const SECOND = 1_000;
/** The number of checks before overdue work makes the time advance. */
const MAX_OVERDUE_CHECKS = 8;
/** The number of checks without activity after which the condition counts as unreachable. */
const MAX_IDLE_CHECKS = 20;
const VIRTUAL_TIMEOUT_MS = 100 * 60 * 60_000;

export function createShopActions(fixture: KillFixture): ShopActions {
  const { shop, sandbox, clock } = fixture;
  const orders: TrackedOrder[] = [];
  const disputes: TrackedDispute[] = [];

  async function startPayment(order: TrackedOrder): Promise<StartedPayment | null> {
    for (;;) {
      const { ref, attempt } = order.placed;
      const start = await fixture.request("startCheckout", { ref, attempt });
      if (start.status !== "redirect") return null;
      if (order.kind === "callback") shop.stores.callback.attachPayment(ref.orderId, start.paymentId);
      const payment = await fixture.request("payment", { paymentId: start.paymentId });
      if (payment?.session) return { paymentId: payment.id, sessionId: payment.session.id };
    }
  }

  async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const end = clock.now() + VIRTUAL_TIMEOUT_MS;
    const machineEnd = Date.now() + PATIENCE_MS;
    for (let idle = 0; !(await condition()); ) {
      const activity = await fixture.activity();
      idle = activity.status === "busy" || activity.until <= end ? 0 : idle + 1;
      if (idle === MAX_IDLE_CHECKS) throw new Error(`The fixture came to rest before ${what}.`);
      if (Date.now() > machineEnd) throw new Error(`It took too long until ${what}.`);
      await (idle > 0 ? wait(3) : passTime(activity));
    }
  }

  let overdue = 0;
  async function passTime(activity: Activity): Promise<void> {
    const ms = activity.status === "busy" ? 0 : activity.until - clock.now();
    overdue = activity.status === "at rest" && ms <= 0 ? overdue + 1 : 0;
    if (activity.status === "shop busy") return await fixture.advanceTime(Math.max(0, ms));
    if (ms > 0) return await fixture.advanceTime(Math.max(TIME_STEP_MS, ms));
    // Idle workers poll once a second.
    if (overdue >= MAX_OVERDUE_CHECKS) return await fixture.advanceTime(SECOND);
    await wait(3);
  }

  async function settle(ms: number): Promise<void> {
    const end = clock.now() + ms;
    await until("everything came to rest", async () => {
      const activity = await fixture.activity();
      return activity.status === "at rest" && activity.until > end;
    });
  }

  const actions: ShopActions = {
    orders,
    async place(kind, minor = 5_000) {
      const total = { minor, currency: "XOF" };
      const placed = await shop.stores[kind].placeOrder({ total, title: "Panier", language: "fr" });
      const order = { kind, placed, ref: placed.ref, totals: [{ total, from: clock.now() }], closedAttempts: [] };
      orders.push(order);
      return order;
    },
    async edit(order, minor) {
      const total = { minor, currency: "XOF" };
      const { attempt } = order.placed;
      order.placed = await shop.stores[order.kind].editTotal(order.ref.orderId, total);
      order.totals.push({ total, from: clock.now() });
      if (order.placed.attempt !== attempt) order.closedAttempts.push(attempt);
    },
    startPayment,
    async requirePayment(order) {
      const payment = await startPayment(order);
      if (payment) return payment;
      throw new Error(`There was nothing to pay for order ${order.ref.orderId}.`);
    },
    async pay({ sessionId }, outcome = "completed", method = "wave") {
      const { transaction_id: id } = await sandbox.control.paySession(sessionId, { method, outcome });
      return String(id);
    },
    disputes,
    async dispute({ paymentId }, transaction_id, amount) {
      const opened = await sandbox.control.createDispute({
        transaction_id,
        ...(amount === undefined ? {} : { amount }),
      });
      const dispute = { id: String(opened.dispute_id), paymentId, isLost: false };
      disputes.push(dispute);
      return dispute;
    },
    async closeDispute(dispute, outcome) {
      await sandbox.control.closeDispute(dispute.id, { outcome });
      dispute.isLost = outcome !== "won";
    },
    async openLink({ sessionId }, link) {
      const { raw } = await fixture.service.checkoutSessions.read(sessionId);
      const url = String((raw as Record<string, unknown>)[link]);
      while (!(await isAnswered(url))) await wait(5);
    },
    until,
    untilPaid: (order) =>
      until(
        `order ${order.ref.orderId} was paid`,
        () => shop.stores[order.kind].probe.effects(order.ref.orderId).length > 0,
      ),
    untilState: ({ paymentId }, state) =>
      until(`the payment was ${state}`, async () => (await fixture.request("payment", { paymentId }))?.state === state),
    settle,
  };
  return actions;
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { redirect: "manual" });
    return status < 500;
  } catch {
    return false;
  }
}
