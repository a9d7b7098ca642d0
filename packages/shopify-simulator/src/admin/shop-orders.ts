import { type Clock, type Money, money } from "@tillkit/core";
import type { RandomBytes } from "../shop-id.ts";

export type OrderTransaction = {
  readonly id: string;
  readonly kind: "SALE" | "CAPTURE" | "REFUND" | "VOID";
  status: "PENDING" | "SUCCESS" | "FAILURE";
  readonly amount: Money;
  readonly gateway: string;
  /** Whether the transaction was made with a manual payment method. */
  readonly manual: boolean;
  readonly parentId: string | null;
  readonly createdAt: number;
};

export type OrderRefund = {
  readonly id: string;
  readonly number: number;
  readonly note: string | null;
  readonly amount: Money;
  readonly transactions: readonly OrderTransaction[];
  readonly createdAt: number;
};

/** An order of the shop. Amounts are in the currency of the shopper. */
export type ShopOrder = {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly checkoutToken: string;
  readonly email: string;
  readonly locale: string;
  readonly test: boolean;
  readonly createdAt: number;
  updatedAt: number;
  total: Money;
  cancelledAt: number | null;
  cancelReason: string | null;
  /** Whether the cancellation put the items back into stock. */
  restocked: boolean;
  note: string | null;
  readonly tags: string[];
  /** By `namespace.key`. */
  readonly metafields: Map<string, { readonly id: string; readonly type: string; value: string }>;
  readonly transactions: OrderTransaction[];
  readonly refunds: OrderRefund[];
};

export type OrderInput = {
  readonly total: Money;
  /** The name of the manual payment method. */
  readonly gateway: string;
  readonly test: boolean;
  readonly email: string;
  readonly locale: string;
};

export type FinancialStatus = "PENDING" | "PARTIALLY_PAID" | "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED" | "VOIDED";

/** The received, refunded and outstanding amounts of an order. */
export type Balance = {
  readonly received: Money;
  readonly refunded: Money;
  /** Negative when more was received than the order now costs. */
  readonly outstanding: Money;
};

export type ShopOrders = {
  readonly all: readonly ShopOrder[];
  find(id: string): ShopOrder | null;
  place(input: OrderInput): ShopOrder;
  /** Adds a transaction: a sale, or a capture of the pending sale. */
  recordPayment(
    order: ShopOrder,
    payment: Pick<OrderTransaction, "kind" | "amount" | "gateway" | "parentId" | "manual">,
  ): OrderTransaction;
  /**
   * Adds a refund of the first payment. A refund of zero only puts items back into stock and has no transaction. `gateway`: the
   * method under which the money goes back; by default the method of the payment.
   */
  refund(order: ShopOrder, amount: Money, note: string | null, gateway?: string): OrderRefund;
  markUpdated(order: ShopOrder): void;
};

/** @param randomBytes where the orders take the secrets of their pages from */
export function createShopOrders(clock: Clock, randomBytes: RandomBytes): ShopOrders {
  const all: ShopOrder[] = [];
  let transactionCount = 0;
  let refundCount = 0;

  function newTransaction(input: Omit<OrderTransaction, "id" | "createdAt">): OrderTransaction {
    transactionCount += 1;
    return {
      ...input,
      id: `gid://shopify/OrderTransaction/${7_000_000_000 + transactionCount}`,
      createdAt: clock.now(),
    };
  }

  function markUpdated(order: ShopOrder): void {
    order.updatedAt = clock.now();
  }

  return {
    all,
    markUpdated,
    find: (id) => all.find((order) => order.id === id) ?? null,
    place({ total, gateway, ...rest }) {
      const number = 1_001 + all.length;
      const pending = newTransaction({
        kind: "SALE",
        status: "PENDING",
        amount: total,
        gateway,
        manual: true,
        parentId: null,
      });
      const order: ShopOrder = {
        ...rest,
        id: `gid://shopify/Order/${5_000_000_000 + number}`,
        number,
        name: `#${number}`,
        checkoutToken: randomBytes(16).toString("hex"),
        createdAt: clock.now(),
        updatedAt: clock.now(),
        total,
        cancelledAt: null,
        cancelReason: null,
        restocked: false,
        note: null,
        tags: [],
        metafields: new Map(),
        transactions: [pending],
        refunds: [],
      };
      all.push(order);
      return order;
    },
    recordPayment(order, payment) {
      const received = newTransaction({ ...payment, status: "SUCCESS" });
      order.transactions.push(received);
      markUpdated(order);
      return received;
    },
    refund(order, amount, note, gateway) {
      refundCount += 1;
      const paid = order.transactions.find(({ status, kind }) => status === "SUCCESS" && kind !== "REFUND");
      const refundTransaction = newTransaction({
        kind: "REFUND",
        status: "SUCCESS",
        amount,
        gateway: gateway ?? paid?.gateway ?? "manual",
        manual: true,
        parentId: paid?.id ?? null,
      });
      const transactions = amount.minor === 0 ? [] : [refundTransaction];
      order.transactions.push(...transactions);
      const number = 800_000_000 + refundCount;
      const refund = {
        id: `gid://shopify/Refund/${number}`,
        number,
        note,
        amount,
        transactions,
        createdAt: clock.now(),
      };
      order.refunds.push(refund);
      markUpdated(order);
      return refund;
    },
  };
}

export function balanceOf({ total, transactions }: ShopOrder): Balance {
  const sumOf = (kinds: readonly string[]) =>
    transactions
      .filter(({ kind, status }) => status === "SUCCESS" && kinds.includes(kind))
      .reduce((sum, { amount }) => sum + amount.minor, 0);
  const receivedMinor = sumOf(["SALE", "CAPTURE"]);
  const { currency } = total;
  return {
    received: money(receivedMinor, currency),
    refunded: money(sumOf(["REFUND"]), currency),
    outstanding: { minor: total.minor - receivedMinor, currency },
  };
}

export function financialStatus(order: ShopOrder): FinancialStatus {
  const { received, refunded, outstanding } = balanceOf(order);
  if (refunded.minor > 0) return refunded.minor >= received.minor ? "REFUNDED" : "PARTIALLY_REFUNDED";
  if (received.minor === 0) return order.cancelledAt === null ? "PENDING" : "VOIDED";
  return outstanding.minor > 0 ? "PARTIALLY_PAID" : "PAID";
}

export function canMarkAsPaid(order: ShopOrder): boolean {
  return order.cancelledAt === null && balanceOf(order).outstanding.minor > 0;
}

/** The payment that "Mark as paid" records: the outstanding amount under the method of the pending sale. */
export function outstandingPayment(order: ShopOrder): Parameters<ShopOrders["recordPayment"]>[1] {
  const pending = order.transactions.find(({ status }) => status === "PENDING");
  return {
    kind: "SALE",
    amount: balanceOf(order).outstanding,
    gateway: pending?.gateway ?? "manual",
    parentId: pending?.id ?? null,
    manual: true,
  };
}

/** The amount of a pending sale that can still be captured, in minor units. */
export function capturableMinor(order: ShopOrder, pending: OrderTransaction): number {
  if (pending.status !== "PENDING" || order.cancelledAt !== null) return 0;
  const captured = order.transactions
    .filter(({ parentId, status }) => parentId === pending.id && status === "SUCCESS")
    .reduce((sum, { amount }) => sum + amount.minor, 0);
  // The order may have been paid in another way or edited to a smaller total.
  return Math.max(0, Math.min(pending.amount.minor - captured, balanceOf(order).outstanding.minor));
}
