import { type Payment, type PaymentState, type PaymentStatus, paymentStatusOf } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { describe, expect, it } from "vitest";
import { isPayable, mayStillChange, orderStatus, paymentToShow } from "../src/order-status.ts";
import type { ShopOrder } from "../src/orders.ts";

describe("the status on the order page", () => {
  it.each(["paid", "waiting", "cancelled", "refused", "unavailable", "nonsense", ""])(
    "an order page never says paid because its address says %o",
    (outcome) => {
      expect(status({ outcome, payment: payment("open") })).not.toBe("paid");
      expect(status({ outcome, payment: null })).not.toBe("paid");
    },
  );

  it.each(["paid", "waiting", "cancelled", "refused", "unavailable"])(
    "an order page says paid once the shop recorded the payment, whatever its address says (%s)",
    (outcome) => {
      const order = { ...ORDER, paymentId: "p", state: "paid" } as const;
      expect(status({ order, outcome, payment: payment("recorded") })).toBe("paid");
    },
  );

  it("an order page thanks for a payment that the shop has not recorded yet", () => {
    expect(status({ payment: payment("verified") })).toBe("recording");
  });

  it.each(["review", "duplicate"] as const)(
    "an order page does not ask for another payment while a payment is in %s",
    (state) => {
      const shown = status({ payment: payment(state), outcome: "cancelled", declined: true });
      expect(shown).toBe("held");
      expect(isPayable(shown)).toBe(false);
    },
  );

  it("an order page says refunded for a refunded payment of a paid order", () => {
    expect(status({ order: { ...ORDER, paymentId: "p", state: "paid" }, payment: payment("refunded") })).toBe(
      "refunded",
    );
  });

  it("an order page offers no payment of a cancelled or sold-out order", () => {
    expect(status({ order: { ...ORDER, state: "cancelled" }, payment: null })).toBe("voided");
    expect(status({ order: { ...ORDER, inStock: false }, payment: null })).toBe("gone");
    expect(isPayable("voided") || isPayable("gone")).toBe(false);
  });

  it("an order page thanks for a payment of an order that was cancelled meanwhile", () => {
    expect(status({ order: { ...ORDER, state: "cancelled" }, payment: payment("review") })).toBe("held");
  });

  it("an order page says that an attempt was declined instead of waiting", () => {
    expect(status({ payment: payment("open"), outcome: "waiting", declined: true })).toBe("refused");
  });

  it("an order page distinguishes an expired payment page from one that never opened", () => {
    expect(status({ payment: payment("expired") })).toBe("expired");
    expect(status({ payment: { ...payment("closed"), session: null } })).toBe("unavailable");
  });

  it("an order page refreshes only while its status can change by itself", () => {
    const canChange = (["open", "verified", "expired", "recorded", "review", "refunded"] as const).map((state) =>
      mayStillChange(paymentStatusOf(payment(state))),
    );
    expect(canChange).toEqual([true, true, true, false, false, false]);
    expect(mayStillChange(null)).toBe(false);
  });
});

describe("an order with several payments", () => {
  it("the order page shows the payment that paid, else a received one, else an open one, else the newest", () => {
    const [expired, open, held, paid] = (["expired", "open", "review", "recorded"] as const).map((state, at) => ({
      ...payment(state),
      id: `p${at}`,
    })) as [Payment, Payment, Payment, Payment];
    const shownId = (order: ShopOrder, ...payments: Payment[]) => paymentToShow(order, payments)?.id;
    expect(shownId({ ...ORDER, paymentId: paid.id }, expired, paid, held, open)).toBe(paid.id);
    expect(shownId(ORDER, held, expired, open)).toBe(held.id);
    expect(shownId(ORDER, open, expired)).toBe(open.id);
    expect(shownId(ORDER, expired, { ...expired, id: "newer" })).toBe("newer");
    expect(shownId(ORDER)).toBeUndefined();
  });
});

const ORDER: ShopOrder = {
  id: "1001",
  key: "k",
  pickupName: "Awa",
  language: "fr",
  total: { minor: 4_000, currency: "XOF" },
  state: "open",
  placedAt: 0,
  lines: [],
  paymentId: null,
  holds: [],
  refunded: { minor: 0, currency: "XOF" },
  inStock: true,
};

type Case = { order?: ShopOrder; payment?: Payment | null; declined?: boolean; outcome?: string };

function status({ order = ORDER, payment: shownPayment = null, declined = false, outcome = "" }: Case) {
  const paymentStatus: PaymentStatus | null = shownPayment && paymentStatusOf(shownPayment);
  return orderStatus({ order, paymentStatus, declined, outcome });
}

function payment(state: PaymentState): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id: "p",
    ref: { storeId: "chez-adjoua", orderId: "1001" },
    orderNumber: "1001",
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "c",
    createdAt: 0,
    amountDue: { minor: 4_000, currency: "XOF" },
    wireAmount: 4_000,
    request: "{}",
    reference: "p.r",
    session: { id: "s", url: "https://pay.example/s", expiresAt: 1 },
    state,
  };
}
