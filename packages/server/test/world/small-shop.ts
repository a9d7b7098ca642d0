import { type Finding, money, type Order, type StoreAdapter, StoreError } from "@tillkit/core";

/** A shop with one kind of order, in memory: what the server's tests need of a store. */
export type SmallShop = {
  readonly adapter: StoreAdapter;
  readonly findings: Finding[];
  order: Order | null;
  /** While true the shop answers nothing. */
  away: boolean;
  /** Its answer to a payment waits for this. */
  hangs: Promise<void>;
  /** While true only its pages cannot be found. */
  pagesAway: boolean;
  /** Writes that arrived, in the shop's own words. */
  readonly writes: string[];
};

export const shopOrder: Order = {
  ref: { storeId: "boutique", orderId: "1042" },
  attempt: "",
  total: money(25_000, "XOF"),
  title: "Order 1042 of Awa Diop",
  environment: "test",
  language: "fr",
  payable: true,
  paidBy: null,
};

export function openSmallShop(): SmallShop {
  const shop: SmallShop = {
    findings: [],
    order: shopOrder,
    away: false,
    hangs: Promise.resolve(),
    pagesAway: false,
    writes: [],
    adapter: {
      platform: "small",
      writes: { kind: "conditional" },
      async findOrder() {
        answering();
        return shop.order;
      },
      async markPaid({ paymentId }) {
        answering();
        await shop.hangs;
        if (!shop.order) return { outcome: "gone", detail: "no such order" };
        if (shop.order.paidBy !== null) return { outcome: "already", evidence: "read-back" };
        shop.order = { ...shop.order, paidBy: paymentId, payable: false };
        shop.writes.push(`paid by ${paymentId}`);
        return { outcome: "recorded", evidence: "read-back" };
      },
      async holdForReview(_ref, _attempt, finding) {
        answering();
        shop.findings.push(finding);
      },
      async shopperUrl({ orderId }, _attempt, outcome) {
        if (shop.away || shop.pagesAway) throw new StoreError("unavailable", "The shop is away.");
        return `https://boutique.example/orders/${orderId}?${outcome}`;
      },
    },
  };

  function answering(): void {
    if (shop.away) throw new StoreError("unavailable", "The shop is away.");
  }

  return shop;
}
