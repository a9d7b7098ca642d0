import {
  createEngine,
  type Dispute,
  type Payment,
  type Refund,
  silentLog,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS, type PaidTransaction } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { expect, it } from "vitest";
import { toPaymentView } from "../src/api/payment-view.ts";
import type { VendureCheckout } from "../src/open-checkout.ts";

const HOUR = 3_600_000;
const usd = (minor: number) => ({ minor, currency: "USD" });

const payment: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "payment-1",
  ref: { storeId: "__default_channel__", orderId: "ABC" },
  orderNumber: "ABC",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "boutique-test",
  createdAt: Date.now() - 48 * HOUR,
  amountDue: usd(32_500),
  wireAmount: 32_500,
  request: "{}",
  reference: "payment-1.signed",
  session: { id: "cs_1", url: "https://pay.example/cs_1", expiresAt: Date.now() },
  amountReceived: usd(32_500),
  transactionId: "tx-1",
  state: "review",
};

const refund: Refund = {
  key: "refund-1",
  paymentId: payment.id,
  origin: "store",
  amount: usd(5_000),
  request: "{}",
  transactionId: "tx-1",
  state: "unknown",
  refundId: null,
  requestedAt: Date.now() - HOUR,
  readOnlySince: null,
  otherKeys: [],
  mark: null,
  markReadAt: null,
  unmarkedKey: null,
};

const dispute: Dispute = {
  id: "dp-1",
  paymentId: payment.id,
  transactionId: "tx-1",
  amount: usd(26_000),
  reason: "fraudulent",
  status: "closed",
  outcome: null,
  evidenceDueBy: null,
  openedAt: Date.now() - HOUR,
  updatedAt: Date.now() - HOUR,
};

async function viewWith(
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
  {
    language = "en",
    changed = {},
    transactions = [],
  }: { language?: "en" | "fr"; changed?: Partial<Payment>; transactions?: readonly PaidTransaction[] } = {},
) {
  const ledger = createMemoryLedger();
  const next = { ...payment, ...changed };
  await ledger.commit({ payment: { next, expect: "new" }, transactions, refunds, disputes, timeline: [] });
  const engine = createEngine({
    ledger,
    tenants: {} as never,
    store: async () => {
      throw new Error("No store is needed here.");
    },
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    referenceKeys: ["a key of the tests that signs references"],
    returnUrls: () => ({ success: "https://shop.example", cancel: "https://shop.example" }),
  });
  const facts = { seen: [], refundsPaid: false, failedRefunds: [] };
  const backOffice = { engine, acts: ledger, host: { facts: async () => facts } };
  return await toPaymentView({ engine, ledger, backOffice } as never as VendureCheckout, next, language);
}

it("the dashboard shows what refunds and disputes leave of a payment, and offers no refund of more without a confirmation", async () => {
  const view = await viewWith([{ ...refund, state: "completed" }], [dispute]);
  expect(view.money).toBe("$325.00 received, $50.00 refunded, $260.00 disputed: $15.00 can be refunded.");
  expect(view).toMatchObject({
    refundable: "$15.00",
    overDispute: { atMost: "$275.00", decimal: "275.00", disputed: "$260.00" },
  });
  const whole = await viewWith([], [{ ...dispute, amount: usd(32_500) }]);
  expect(whole).toMatchObject({ refundable: null, overDispute: { atMost: "$325.00" } });
});

it("a refund in doubt and a dispute without an outcome ask the owner, in the owner's language", async () => {
  const view = await viewWith([refund], [dispute]);
  expect(view).toMatchObject({
    problem: expect.stringContaining("whether it made the refund of $50.00"),
    refunds: [{ key: "refund-1", canTellOutcome: true }],
    disputes: [{ id: "dp-1", canDecide: true }],
  });
  const inFrench = await viewWith([refund], [], { language: "fr" });
  expect(inFrench.problem).toContain("s’il a effectué le remboursement");
});

it("a payment that a dispute took back says so, and a payment that nothing names asks for its transaction", async () => {
  const lost = { ...dispute, outcome: "lost", amount: usd(32_500) } as const;
  const view = await viewWith([], [lost], { changed: { lostToDispute: true, state: "recorded" } });
  expect(view).toMatchObject({
    problem: expect.stringContaining("took $325.00 of this payment back"),
    refundable: null,
  });
  expect(view.canNameTransaction).toBe(true);
});

it("a payment page that was paid twice shows the second payment, and what its own refund sends back", async () => {
  const paid = { paymentId: payment.id, isRead: true, evidence: "identity", at: Date.now() } as const;
  const transactions = [
    { ...paid, id: "tx-1", code: "txn_1", amount: usd(32_500) },
    { ...paid, id: "tx-2", code: "txn_2", amount: usd(32_500) },
  ];
  const changed = { state: "recorded" } as const;
  const view = await viewWith([], [], { changed, transactions });
  expect(view).toMatchObject({
    refundable: null,
    furtherTransactions: [{ id: "tx-2", amount: "$325.00", refundable: "$325.00" }],
  });
  const returned = { ...refund, state: "completed", transactionId: "tx-2", amount: usd(32_500) } as const;
  const after = await viewWith([returned], [], { changed, transactions });
  expect(after.furtherTransactions).toMatchObject([{ id: "tx-2", refundable: null }]);
});

it("the dashboard asks for evidence until the deadline of a dispute, and for no refund once it is over", async () => {
  const open = { ...dispute, status: "pending", evidenceDueBy: Date.now() + HOUR } as const;
  expect((await viewWith([], [open])).disputes[0]?.text).toContain("Send evidence");
  const late = await viewWith([], [{ ...open, evidenceDueBy: Date.now() - HOUR }]);
  expect(late.disputes[0]?.text).toContain("The time for evidence ended");
});
