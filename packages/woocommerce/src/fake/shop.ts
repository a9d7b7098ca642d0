import type { Clock } from "@tillkit/core";
import { addDecimals, toDecimals } from "./decimals.ts";

/** An order as the shop's own tables hold it. Times in milliseconds since 1970. */
export type ShopOrder = {
  readonly id: number;
  readonly key: string;
  /** Without `wc-`; `trash` for one in the bin. */
  readonly status: string;
  /** As it was written; what is shown has the shop's decimals. */
  readonly total: string;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly transactionId: string;
  readonly datePaid: number | null;
  readonly dateCompleted: number | null;
  readonly modifiedAt: number;
  readonly itemName: string;
  readonly meta: Readonly<Record<string, string>>;
  /** WooCommerce's own mark that stock was taken for this order. */
  readonly stockReduced: boolean;
};

export type OrderWish = {
  readonly total: string;
  readonly currency?: string;
  readonly itemName?: string;
  readonly status?: string;
  readonly paymentMethod?: string;
  readonly transactionId?: string;
  readonly meta?: Readonly<Record<string, string>>;
};

export type ShopRefund = {
  readonly id: number;
  readonly amount: string;
  readonly reason: string;
  readonly meta: Readonly<Record<string, string>>;
};

/** Every time `payment_complete` ran: what the customer is mailed, and what leaves the warehouse. */
export type Effect = { readonly orderId: number; readonly transactionId: string; readonly at: number };

export type OrderChange = Partial<Omit<ShopOrder, "id" | "stockReduced">>;

/** What a plugin makes of an order that its owner just changed. */
export type OwnerWatcher = (before: ShopOrder, after: ShopOrder) => OrderChange;

/** The shop itself: what its owner sees and does, and what probes look at. No REST, no plugin. */
export type Shop = {
  readonly decimals: number;
  readonly currency: string;
  placeOrder(wish: OrderWish): ShopOrder;
  order(id: number | string): ShopOrder | null;
  orders(): readonly ShopOrder[];
  /** What the owner's order screen does: any total, any currency, any status; a paid status sets the date of payment. */
  edit(id: number | string, change: OrderChange): ShopOrder;
  /** A program changes the order: no person decided it. */
  change(id: number | string, change: OrderChange): ShopOrder;
  /** The plugin that is told of what the owner does; null for none. */
  watchOwner(watcher: OwnerWatcher | null): void;
  /** Empties the bin of this order. */
  remove(id: number | string): void;
  /** `WC_Order::payment_complete` as one request does it that read the order as `seen` before. */
  complete(seen: ShopOrder, transactionId: string): ShopOrder;
  notes(id: number | string): readonly string[];
  addNote(id: number | string, text: string): void;
  refunds(id: number | string): readonly ShopRefund[];
  addRefund(id: number | string, refund: Omit<ShopRefund, "id">): ShopRefund;
  readonly effects: readonly Effect[];
  /** How many times stock was taken for an order and not put back. */
  stockTaken(id: number | string): number;
};

const TAKES_STOCK: ReadonlySet<string> = new Set(["processing", "completed", "on-hold"]);
const GIVES_STOCK_BACK: ReadonlySet<string> = new Set(["pending", "cancelled"]);
const PAID: ReadonlySet<string> = new Set(["processing", "completed"]);

export function createShop(clock: Clock, settings: { decimals: number; currency: string }): Shop {
  const orders = new Map<number, ShopOrder>();
  const notes = new Map<number, string[]>();
  const refunds = new Map<number, ShopRefund[]>();
  const stock = new Map<number, number>();
  const effects: Effect[] = [];
  let lastId = 1_041;
  let watcher: OwnerWatcher | null = null;

  function mustHave(id: number | string): ShopOrder {
    const found = orders.get(Number(id));
    if (!found) throw new Error(`This shop has no order ${id}.`);
    return found;
  }

  /** `seen` decides what happens to stock, as in a request that has read the order before another one wrote it. */
  function write(seen: ShopOrder, change: Partial<ShopOrder>): ShopOrder {
    const next = { ...mustHave(seen.id), ...change, modifiedAt: clock.now() };
    if (!seen.stockReduced && TAKES_STOCK.has(next.status)) moveStock(seen.id, 1);
    if (seen.stockReduced && GIVES_STOCK_BACK.has(next.status)) moveStock(seen.id, -1);
    const stockReduced = TAKES_STOCK.has(next.status) || (next.stockReduced && !GIVES_STOCK_BACK.has(next.status));
    const datePaid = next.datePaid ?? (PAID.has(next.status) ? clock.now() : null);
    const dateCompleted = next.dateCompleted ?? (next.status === "completed" ? clock.now() : null);
    const written = { ...next, stockReduced, datePaid, dateCompleted };
    orders.set(seen.id, written);
    return written;
  }

  function moveStock(id: number, by: number): void {
    stock.set(id, (stock.get(id) ?? 0) + by);
  }

  return {
    ...settings,
    effects,
    placeOrder(wish) {
      lastId += 1;
      const order = newOrder(lastId, wish, settings.currency, clock.now());
      orders.set(lastId, order);
      return order;
    },
    order: (id) => orders.get(Number(id)) ?? null,
    orders: () => [...orders.values()],
    edit(id, change) {
      const before = mustHave(id);
      const after = write(before, change);
      return watcher ? write(after, watcher(before, after)) : after;
    },
    change: (id, change) => write(mustHave(id), change),
    watchOwner: (next) => {
      watcher = next;
    },
    remove: (id) => {
      orders.delete(Number(id));
    },
    complete(seen, transactionId) {
      effects.push({ orderId: seen.id, transactionId, at: clock.now() });
      return write(seen, { status: "processing", transactionId, datePaid: clock.now() });
    },
    notes: (id) => notes.get(Number(id)) ?? [],
    addNote: (id, text) => {
      notes.set(Number(id), [...(notes.get(Number(id)) ?? []), text]);
    },
    refunds: (id) => refunds.get(Number(id)) ?? [],
    addRefund(id, refund) {
      lastId += 1;
      const added = { id: lastId, ...refund };
      const all = [...(refunds.get(Number(id)) ?? []), added];
      refunds.set(Number(id), all);
      const order = mustHave(id);
      const back = all.reduce((sum, { amount }) => addDecimals(sum, amount), "0");
      if (isNothing(addDecimals(order.total, `-${back}`))) write(order, { status: "refunded" });
      return added;
    },
    stockTaken: (id) => stock.get(Number(id)) ?? 0,
  };
}

function newOrder(id: number, wish: OrderWish, currency: string, now: number): ShopOrder {
  return {
    id,
    key: `wc_order_${id.toString(36)}AbC${(id * 7919).toString(36)}`,
    status: wish.status ?? "pending",
    total: wish.total,
    currency: wish.currency ?? currency,
    paymentMethod: wish.paymentMethod ?? "tillkit",
    transactionId: wish.transactionId ?? "",
    datePaid: null,
    dateCompleted: null,
    modifiedAt: now,
    itemName: wish.itemName ?? "Panier",
    meta: wish.meta ?? {},
    stockReduced: false,
  };
}

/** What the order screen and the REST API show. */
export function shownTotal({ total }: ShopOrder, { decimals }: Pick<Shop, "decimals">): string {
  return toDecimals(total, decimals);
}

/** `WC_Order::needs_payment`. */
export function needsPayment({ status, total }: ShopOrder): boolean {
  return (status === "pending" || status === "failed" || status === "checkout-draft") && !isNothing(total);
}

function isNothing(amount: string): boolean {
  return /^-?[0.]+$/.test(amount);
}
