import type { Clock } from "@tillkit/core";
import { addDecimals, toDecimals } from "./decimals.ts";
import { QUOTE_ACCEPTED } from "./paid-by.ts";

/** An order in the shop's database. Times in milliseconds since 1970. */
export type ShopOrder = {
  readonly id: number;
  readonly key: string;
  /** Without the prefix `wc-`; `trash` for a deleted order. */
  readonly status: string;
  /** As entered. The REST API shows it with the shop's number of decimals. */
  readonly total: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** What the order, its e-mails and the thank-you page show. */
  readonly paymentMethodTitle: string;
  readonly transactionId: string;
  readonly datePaid: number | null;
  readonly dateCompleted: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly itemName: string;
  readonly meta: Readonly<Record<string, string>>;
  /** WooCommerce's flag that stock was taken for this order. */
  readonly stockReduced: boolean;
};

export type OrderInput = {
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

/** One run of `payment_complete`: it sends the customer e-mail and releases the goods. */
export type Effect = { readonly orderId: number; readonly transactionId: string; readonly at: number };

export type OrderChange = Partial<Omit<ShopOrder, "id" | "stockReduced">>;

/** A plugin's listener: returns the changes that the plugin makes after the owner has changed an order. */
export type OwnerChangeListener = (before: ShopOrder, after: ShopOrder) => OrderChange;

/** The state of the shop and the actions of its owner, without REST API and plugin. Tests check the shop here. */
export type Shop = {
  readonly decimals: number;
  readonly currency: string;
  placeOrder(input: OrderInput): ShopOrder;
  order(id: number | string): ShopOrder | null;
  orders(): readonly ShopOrder[];
  /** Changes an order as its owner does on the order screen: any total, currency or status. A paid status sets the date of payment. */
  edit(id: number | string, change: OrderChange): ShopOrder;
  /** Changes an order as a program, without a person. */
  change(id: number | string, change: OrderChange): ShopOrder;
  /** Registers the plugin's listener for changes of the owner; null removes it. */
  onOwnerChange(listener: OwnerChangeListener | null): void;
  /** Deletes the order for good. */
  remove(id: number | string): void;
  /** `WC_Order::payment_complete` of a request that has read the order as `seen`. */
  complete(seen: ShopOrder, transactionId: string): ShopOrder;
  notes(id: number | string): readonly string[];
  addNote(id: number | string, text: string): void;
  refunds(id: number | string): readonly ShopRefund[];
  addRefund(id: number | string, refund: Omit<ShopRefund, "id">): ShopRefund;
  readonly effects: readonly Effect[];
  /** How often stock was taken for an order and was not put back. */
  stockTaken(id: number | string): number;
};

const STOCK_TAKING_STATUSES: ReadonlySet<string> = new Set(["processing", "completed", "on-hold"]);
const STOCK_RETURNING_STATUSES: ReadonlySet<string> = new Set(["pending", "cancelled"]);
const PAID_STATUSES: ReadonlySet<string> = new Set(["processing", "completed"]);

export function createShop(clock: Clock, settings: { decimals: number; currency: string }): Shop {
  const orders = new Map<number, ShopOrder>();
  const notes = new Map<number, string[]>();
  const refunds = new Map<number, ShopRefund[]>();
  const stockTakenByOrder = new Map<number, number>();
  const effects: Effect[] = [];
  let lastId = 1_041;
  let listener: OwnerChangeListener | null = null;

  function requireOrder(id: number | string): ShopOrder {
    const found = orders.get(Number(id));
    if (!found) throw new Error(`This shop has no order ${id}.`);
    return found;
  }

  /**
   * Writes a change of a request that has read the order as `seen`. The stock is taken or returned as `seen` requires, so two
   * concurrent requests may both take stock.
   */
  function write(seen: ShopOrder, change: Partial<ShopOrder>): ShopOrder {
    const next = { ...requireOrder(seen.id), ...change, modifiedAt: clock.now() };
    const takesStock = STOCK_TAKING_STATUSES.has(next.status);
    const returnsStock = STOCK_RETURNING_STATUSES.has(next.status);
    if (takesStock && !seen.stockReduced) moveStock(seen.id, 1);
    if (returnsStock && seen.stockReduced) moveStock(seen.id, -1);
    const stockReduced = takesStock || (next.stockReduced && !returnsStock);
    const datePaid = next.datePaid ?? (PAID_STATUSES.has(next.status) ? clock.now() : null);
    const dateCompleted = next.dateCompleted ?? (next.status === "completed" ? clock.now() : null);
    const written = { ...next, stockReduced, datePaid, dateCompleted };
    orders.set(seen.id, written);
    return written;
  }

  function moveStock(id: number, by: number): void {
    stockTakenByOrder.set(id, (stockTakenByOrder.get(id) ?? 0) + by);
  }

  return {
    ...settings,
    effects,
    placeOrder(input) {
      lastId += 1;
      const order = newOrder(lastId, input, settings.currency, clock.now());
      orders.set(lastId, order);
      return order;
    },
    order: (id) => orders.get(Number(id)) ?? null,
    orders: () => [...orders.values()],
    edit(id, change) {
      const before = requireOrder(id);
      const after = write(before, change);
      return listener ? write(after, listener(before, after)) : after;
    },
    change: (id, change) => write(requireOrder(id), change),
    onOwnerChange: (next) => {
      listener = next;
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
      const allRefunds = [...(refunds.get(Number(id)) ?? []), added];
      refunds.set(Number(id), allRefunds);
      const order = requireOrder(id);
      const refundedAmount = allRefunds.reduce((sum, { amount }) => addDecimals(sum, amount), "0");
      const isRefundedCompletely = isZero(addDecimals(order.total, `-${refundedAmount}`));
      if (isRefundedCompletely) write(order, { status: "refunded" });
      return added;
    },
    stockTaken: (id) => stockTakenByOrder.get(Number(id)) ?? 0,
  };
}

function newOrder(id: number, input: OrderInput, currency: string, now: number): ShopOrder {
  return {
    id,
    // Letters and digits that differ for each order, as in a real key.
    key: `wc_order_${id.toString(36)}AbC${(id * 7919).toString(36)}`,
    status: input.status ?? "pending",
    total: input.total,
    currency: input.currency ?? currency,
    paymentMethod: input.paymentMethod ?? "tillkit",
    paymentMethodTitle: "Mobile money or card",
    transactionId: input.transactionId ?? "",
    datePaid: null,
    dateCompleted: null,
    createdAt: now,
    modifiedAt: now,
    itemName: input.itemName ?? "Panier",
    meta: input.meta ?? {},
    stockReduced: false,
  };
}

/** The total that the order screen and the REST API show. */
export function shownTotal({ total }: ShopOrder, { decimals }: Pick<Shop, "decimals">): string {
  return toDecimals(total, decimals);
}

/** The total with the decimals of its own currency, and more if the shop has more. */
export function exactTotal({ total, currency }: ShopOrder, { decimals }: Pick<Shop, "decimals">): string {
  return toDecimals(total, Math.max(decimals, currency === "XOF" ? 0 : 2));
}

/** `WC_Order::needs_payment`. */
export function needsPayment({ status, total }: ShopOrder): boolean {
  return ["pending", "failed", "checkout-draft", QUOTE_ACCEPTED].includes(status) && !isZero(total);
}

function isZero(amount: string): boolean {
  return /^-?[0.]+$/.test(amount);
}
