import type { Money, OrderRef } from "@tillkit/core";
import type { PlacedOrder } from "@tillkit/testkit";
import type { StoreKind } from "./shop.ts";
import { type Look, type World, wait } from "./world.ts";

/** An order with everything that its shopper and its owner did to it. */
export type WatchedOrder = {
  readonly kind: StoreKind;
  placed: PlacedOrder;
  readonly ref: OrderRef;
  readonly totals: { readonly total: Money; readonly from: number }[];
  /** Tries that the shop replaced by another. */
  readonly closedAttempts: string[];
};

export type Begun = { readonly paymentId: string; readonly sessionId: string };

/** What people do, in a world where any answer may be lost. */
export type Shopping = {
  readonly orders: readonly WatchedOrder[];
  place(kind: StoreKind, minor?: number): Promise<WatchedOrder>;
  edit(order: WatchedOrder, minor: number): Promise<void>;
  /** The shopper presses pay, again and again until there is a page to pay on; null: there is nothing to pay any more. */
  press(order: WatchedOrder): Promise<Begun | null>;
  mustPress(order: WatchedOrder): Promise<Begun>;
  pay(begun: Begun, outcome?: "completed" | "failed" | "pending", method?: "wave" | "card"): Promise<string>;
  /** A browser opens one of the links that the hosted page has. */
  follow(begun: Begun, link: "success_url" | "cancel_url"): Promise<void>;
  /** Lets time pass, from one thing that is due to the next, until it is so. */
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
  untilPaid(order: WatchedOrder): Promise<void>;
  untilState(begun: Begun, state: string): Promise<void>;
  /** Lets everything end that is due within this time. */
  settle(ms: number): Promise<void>;
};

/** What falls due at nearly the same time is done together. */
export const STRIDE_MS = 5_000;
const SECOND = 1_000;
/** So often is looked whether somebody does what is due. */
const OVERDUE_LOOKS = 8;
/** Nothing happens any more when it did not in so many. */
const IDLE_LOOKS = 20;
const LONGEST_MS = 100 * 60 * 60_000;
/** Of the machine. */
const PATIENCE_MS = 240_000;

export function goShopping(world: World): Shopping {
  const { shop, sandbox, clock } = world;
  const orders: WatchedOrder[] = [];

  async function press(order: WatchedOrder): Promise<Begun | null> {
    for (;;) {
      const { ref, attempt } = order.placed;
      const start = await world.ask("startCheckout", { ref, attempt });
      if (start.status !== "redirect") return null;
      if (order.kind === "callback") shop.stores.callback.attachPayment(ref.orderId, start.paymentId);
      const payment = await world.ask("payment", { paymentId: start.paymentId });
      if (payment?.session) return { paymentId: payment.id, sessionId: payment.session.id };
    }
  }

  async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = clock.now() + LONGEST_MS;
    const machineEnd = Date.now() + PATIENCE_MS;
    for (let idle = 0; !(await isSo()); ) {
      const look = await world.look();
      idle = look.say === "busy" || look.until <= end ? 0 : idle + 1;
      if (idle === IDLE_LOOKS) throw new Error(`It never came to it that ${what}.`);
      if (Date.now() > machineEnd) throw new Error(`It took too long until ${what}.`);
      await (idle > 0 ? wait(3) : letPass(look));
    }
  }

  let overdue = 0;
  async function letPass(look: Look): Promise<void> {
    const ms = look.say === "busy" ? 0 : look.until - clock.now();
    overdue = look.say === "at rest" && ms <= 0 ? overdue + 1 : 0;
    if (look.say === "shop at work") return await world.jump(Math.max(0, ms));
    if (ms > 0) return await world.jump(Math.max(STRIDE_MS, ms));
    // Workers that rest look again after a second.
    if (overdue >= OVERDUE_LOOKS) return await world.jump(SECOND);
    await wait(3);
  }

  async function settle(ms: number): Promise<void> {
    const end = clock.now() + ms;
    await until("everything came to rest", async () => {
      const look = await world.look();
      return look.say === "at rest" && look.until > end;
    });
  }

  const shopping: Shopping = {
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
    press,
    async mustPress(order) {
      const begun = await press(order);
      if (begun) return begun;
      throw new Error(`There was nothing to pay for order ${order.ref.orderId}.`);
    },
    async pay({ sessionId }, outcome = "completed", method = "wave") {
      const { transaction_id: id } = await sandbox.control.paySession(sessionId, { method, outcome });
      return String(id);
    },
    async follow({ sessionId }, link) {
      const { raw } = await world.service.checkoutSessions.read(sessionId);
      const url = String((raw as Record<string, unknown>)[link]);
      while (!(await visit(url))) await wait(5);
    },
    until,
    untilPaid: (order) =>
      until(
        `order ${order.ref.orderId} was paid`,
        () => shop.stores[order.kind].probe.effects(order.ref.orderId).length > 0,
      ),
    untilState: ({ paymentId }, state) =>
      until(`the payment was ${state}`, async () => (await world.ask("payment", { paymentId }))?.state === state),
    settle,
  };
  return shopping;
}

async function visit(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { redirect: "manual" });
    return status < 500;
  } catch {
    return false;
  }
}
