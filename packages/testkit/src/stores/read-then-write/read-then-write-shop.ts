import { type Clock, decimalText, type Language, limits, type Money, parseMoney } from "@tillkit/core";
import type { Effect, OrderInput, StatusChange } from "../miniature-store.ts";
import type { NetworkLink } from "../network-link.ts";

export type OrderStatus = "pending" | "failed" | "on-hold" | "processing" | "completed" | "cancelled" | "trash";

/** An order as the shop's REST API returns it. `total` is a decimal string with two decimals in every currency. */
export type RestOrder = {
  readonly id: string;
  readonly name: string;
  readonly lang: Language;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly total: string;
  readonly payment_method: string;
  readonly transaction_id: string;
  /** Milliseconds since 1970. */
  readonly date_paid: number | null;
  readonly date_modified: number;
};

export type OrderPatch = {
  readonly status?: OrderStatus;
  readonly set_paid?: true;
  readonly transaction_id?: string;
  readonly payment_method?: string;
};

export type RestRefund = { readonly reason: string; readonly amount: string };

/** The shop's REST API. Every call uses the network; no call is conditional or idempotent. No write is sent after its `sendBy`. */
export type OrdersApi = {
  getOrder(id: string): Promise<RestOrder | null>;
  putOrder(id: string, patch: OrderPatch, sendBy?: number): Promise<RestOrder | null>;
  listUnpaid(modifiedAfter: number): Promise<readonly RestOrder[]>;
  listNotes(id: string): Promise<readonly string[]>;
  postNote(id: string, note: string, sendBy?: number): Promise<void>;
  listRefunds(id: string): Promise<readonly RestRefund[]>;
  postRefund(id: string, refund: RestRefund, sendBy?: number): Promise<void>;
};

export type ReadThenWriteShop = {
  readonly rest: OrdersApi;
  placeOrder(input: OrderInput): RestOrder;
  /** Reads an order without the network, for the owner's screens and the probes. */
  order(id: string): RestOrder;
  /** Changes an order as its owner does, without the network. */
  edit(id: string, change: Partial<RestOrder>): RestOrder;
  notes(id: string): readonly string[];
  refunds(id: string): readonly RestRefund[];
  statuses(id: string): readonly StatusChange[];
  readonly effects: readonly Effect[];
};

const PAYABLE_STATUSES: readonly OrderStatus[] = ["pending", "failed"];
/** The number before the first order's number. */
const LAST_OLD_ORDER = 1_040;

export function createReadThenWriteShop(clock: Clock, network: NetworkLink): ReadThenWriteShop {
  const orders = new Map<string, RestOrder>();
  const notes = new Map<string, string[]>();
  const refunds = new Map<string, RestRefund[]>();
  const statuses = new Map<string, StatusChange[]>();
  const effects: Effect[] = [];

  function order(id: string): RestOrder {
    const found = orders.get(id);
    if (!found) throw new Error(`This shop has no order ${id}.`);
    return found;
  }

  /** `sentAt`: when our request for the change was sent, or null for a change of the owner. */
  function edit(id: string, change: Partial<RestOrder>, sentAt: number | null = null): RestOrder {
    const at = clock.now();
    const next = { ...order(id), ...change, date_modified: at };
    if (next.status !== order(id).status) {
      add(statuses, id, { status: next.status, by: sentAt === null ? "owner" : "us", sentAt: sentAt ?? at, at });
    }
    orders.set(id, next);
    return next;
  }

  /** Reads, waits, then writes: two concurrent requests both find the order unpaid and both reduce the stock. */
  async function put(
    id: string,
    patch: OrderPatch,
    sentAt: number,
    process: () => Promise<void>,
  ): Promise<RestOrder | null> {
    const seen = orders.get(id);
    await process();
    if (!seen || seen.status === "trash") return seen ?? null;
    if (!patch.set_paid) return edit(id, patch, sentAt);
    const { set_paid: _, ...fields } = patch;
    // `set_paid` does not pay a paid order again, and changes nothing on an order with another status.
    if (seen.date_paid !== null) {
      return edit(id, { transaction_id: fields.transaction_id ?? seen.transaction_id }, sentAt);
    }
    if (!PAYABLE_STATUSES.includes(fields.status ?? seen.status)) return seen;
    const paid = edit(id, { ...fields, status: "processing", date_paid: clock.now() }, sentAt);
    effects.push({
      orderId: id,
      attempt: "",
      paymentId: paid.transaction_id,
      total: exactTotal(paid),
      at: clock.now(),
    });
    return paid;
  }

  return {
    effects,
    edit,
    order,
    notes: (id) => notes.get(id) ?? [],
    refunds: (id) => refunds.get(id) ?? [],
    statuses: (id) => statuses.get(id) ?? [],
    placeOrder: (input) => {
      const id = String(LAST_OLD_ORDER + 1 + orders.size);
      orders.set(id, { id, ...newOrder(input), date_modified: clock.now() });
      return order(id);
    },
    rest: {
      getOrder: (id) => network.read(() => orders.get(id) ?? null),
      putOrder: (id, patch, sendBy) => {
        // The sender may have slept since it read the order and decided.
        const sentAt = Math.min(clock.now(), sendBy === undefined ? clock.now() : sendBy - limits.storeCallMs);
        return network.write((process) => put(id, patch, sentAt, process), sendBy);
      },
      listUnpaid: (modifiedAfter) =>
        network.read(() => [...orders.values()].filter((candidate) => isUnpaidSince(candidate, modifiedAfter))),
      listNotes: (id) => network.read(() => [...(notes.get(id) ?? [])]),
      postNote: (id, note, sendBy) => network.write(() => add(notes, id, note), sendBy),
      listRefunds: (id) => network.read(() => [...(refunds.get(id) ?? [])]),
      postRefund: (id, refund, sendBy) => network.write(() => add(refunds, id, refund), sendBy),
    },
  };
}

/** The shop writes two decimals in every currency: XOF 5000 is "5000.00". */
export function shopTotal(total: Money): { readonly total: string; readonly currency: string } {
  const text = decimalText(total);
  return { total: text.includes(".") ? text : `${text}.00`, currency: total.currency };
}

// The owner can enter a total that the service does not accept, for example "5000.50" XOF or another currency.
function exactTotal({ total, currency }: RestOrder): Money | null {
  try {
    return parseMoney(total, currency);
  } catch {
    return null;
  }
}

function newOrder({ total, title, language }: OrderInput): Omit<RestOrder, "id" | "date_modified"> {
  return {
    name: title,
    lang: language,
    status: "pending",
    ...shopTotal(total),
    payment_method: "tillkit",
    transaction_id: "",
    date_paid: null,
  };
}

function isUnpaidSince(order: RestOrder, modifiedAfter: number): boolean {
  return order.date_modified >= modifiedAfter && PAYABLE_STATUSES.includes(order.status);
}

function add<Item>(lists: Map<string, Item[]>, id: string, item: Item): void {
  lists.set(id, [...(lists.get(id) ?? []), item]);
}
