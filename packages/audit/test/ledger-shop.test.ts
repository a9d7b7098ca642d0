import { money, type Payment, systemClock } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { expect, it } from "vitest";
import type { OrderFact } from "../src/facts/facts.ts";
import { createLedgerReader } from "../src/readers/ledger.ts";
import { openFactStore } from "../src/store/fact-store.ts";

const NOW = Date.UTC(2026, 3, 1);
const AT = NOW - 5 * 86_400_000;

function payment(id: string, orderId: string, state: Payment["state"]): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: "hats", orderId },
    orderNumber: `N${orderId}`,
    attempt: "",
    environment: "live",
    account: null,
    credentialId: "hats",
    createdAt: AT,
    amountDue: money(5_000, "XOF"),
    wireAmount: 5_000,
    request: "{}",
    reference: `${id}.mac`,
    session: { id: `session-${id}`, url: "https://pay.example/cs_1", expiresAt: AT + 3_600_000 },
    state,
  };
}

it("a ledger shows an order once, with every payment that it had, its refunds and its disputes", async () => {
  const ledger = await openLedger("sqlite::memory:");
  const commit = (next: Payment, more: object = {}) =>
    ledger.commit({ payment: { next, expect: "new" }, timeline: [], ...more });
  await commit(payment("first", "7", "expired"));
  await commit(payment("second", "7", "recorded"), {
    transactions: [
      {
        id: "TX-2",
        code: null,
        paymentId: "second",
        amount: money(5_000, "XOF"),
        isRead: true,
        evidence: "identity",
        at: AT + 60_000,
      },
    ],
    disputes: [
      {
        id: "d1",
        paymentId: "second",
        transactionId: "TX-2",
        amount: money(5_000, "XOF"),
        reason: "",
        status: "pending",
        outcome: null,
        evidenceDueBy: null,
        openedAt: AT,
        updatedAt: AT,
      },
    ],
  });
  await commit(payment("third", "8", "review"));
  await commit(payment("fourth", "9", "refunded"));
  const store = await openFactStore("sqlite::memory:");
  const reader = createLedgerReader({ shop: "ledger", ledger });
  const coverage = await reader.read({
    from: NOW - 30 * 86_400_000,
    until: NOW,
    now: NOW,
    store: store.source("shop ledger"),
    clock: systemClock,
    signal: new AbortController().signal,
    recheckMs: 0,
    onProgress: () => undefined,
    hashCustomer: () => null,
  });
  const orders: OrderFact[] = [];
  for await (const order of store.facts<OrderFact>("order")) orders.push(order);
  expect(orders).toMatchObject([
    {
      id: "hats/7",
      number: "N7",
      state: "paid",
      paidAt: AT + 60_000,
      knowsDispute: true,
      names: expect.arrayContaining(["first", "session-first", "second", "session-second", "tx-2"]),
    },
    { id: "hats/8", state: "unpaid" },
    { id: "hats/9", state: "refunded" },
  ]);
  expect(coverage.shows.cancellations).toBe(false);
  await store.close();
  await ledger.close();
});
