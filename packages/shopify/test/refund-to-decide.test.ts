import { CheckoutError, limits, money, type Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { expect, onTestFinished, test } from "vitest";
import { type AppFixture, GATEWAY, openAppFixture } from "./app-fixture.ts";

const xof = (minor: number) => money(minor, "XOF");
const PAGE = "https://pay.example/operators/payments/payment-1";

/** A paid order of 5,000 francs in a shop in order mode, and its payment in the ledger. */
async function openPaidOrder() {
  const fixture = await openAppFixture({ mode: "order" });
  onTestFinished(() => fixture.close());
  const { shop, ledger, clock, app } = fixture;
  Object.assign(app.checkout.engine, { decisionUrl: () => PAGE });
  const order = shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    id: "payment-1",
    ref: { storeId: "acme.myshopify.com", orderId: order.id.replace(/.*\//, "") },
    orderNumber: "1001",
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "shopify-test-acme.myshopify.com",
    createdAt: clock.now(),
    amountDue: order.total,
    wireAmount: order.total.minor,
    request: "{}",
    reference: "payment-1.signed",
    session: { id: "cs_1", url: "https://pay.service.example/cs_1", expiresAt: clock.now() + 3_600_000 },
    amountReceived: order.total,
    transactionId: "txn_1",
    state: "recorded",
  };
  const transaction = {
    id: "txn_1",
    code: null,
    paymentId: payment.id,
    amount: order.total,
    isRead: true,
    evidence: "identity",
    at: clock.now(),
  } as const;
  await ledger.commit({ payment: { next: payment, expect: "new" }, transactions: [transaction], timeline: [] });
  shop.markOrderAsPaid(order.id);
  return { fixture, order, payment };
}

/** The owner refunds in the shop, and the app hears of it. */
async function refundInShop(
  { shop, simulator, app }: AppFixture,
  order: { readonly id: string },
  minor: number,
  note: string | null = null,
) {
  const refund = shop.refundOrder(order.id, xof(minor), note);
  shop.sendWebhook("refunds/create", { id: refund.number, order_id: Number(order.id.replace(/.*\//, "")) });
  await simulator.webhooks.settled();
  await app.runDue();
}

/** The service answers reads, and counts the refunds that it is asked for. */
function answerReads({ app }: AppFixture): { readonly sent: string[] } {
  const sent: string[] = [];
  app.checkout.engine.tenants.service = async () =>
    ({
      readRefunds: async () => ({ refunds: [], unassigned: [], elsewhere: [], isComplete: true }),
      readTransaction: async () => null,
      readSession: async () => ({}),
      async *listTransactions() {},
      async refund({ request }: { readonly request: string }) {
        sent.push(request);
        throw new CheckoutError("service_unavailable", "The service does not answer.", { retryable: true });
      },
    }) as never;
  return { sent };
}

async function noticesOf({ shop }: AppFixture): Promise<string> {
  return (await shop.install()).text;
}

test("a refund of the shop over a dispute sends no money, is not tried again, and is the owner's task with the sums and the link", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  const { sent } = answerReads(fixture);
  const now = fixture.clock.now();
  const dispute = {
    id: "dp-1",
    paymentId: payment.id,
    transactionId: "txn_1",
    reason: "fraudulent",
    evidenceDueBy: null,
  };
  const open = {
    ...dispute,
    amount: xof(4_000),
    status: "pending",
    outcome: null,
    openedAt: now,
    updatedAt: now,
  } as const;
  const next = { ...payment, version: payment.version + 1 };
  await fixture.ledger.commit({ payment: { next, expect: payment.version }, disputes: [open], timeline: [] });
  await refundInShop(fixture, order, 2_000);
  const page = await noticesOf(fixture);
  expect(page).toContain("a person must decide about this payment first");
  expect(page).toMatch(/4.000.F.CFA disputed/);
  expect(page).toContain(PAGE);
  await fixture.clock.advance(24 * 3_600_000);
  await fixture.app.runDue();
  expect([sent, await fixture.ledger.refunds(payment.id)]).toEqual([[], []]);
  expect((await noticesOf(fixture)).match(/must decide about this payment first/g)).toHaveLength(1);
});

/** A refund that was made in the service's dashboard. */
async function madeAtService({ ledger, clock }: AppFixture, payment: Payment, minor: number) {
  const made = {
    origin: "service",
    refundId: "re_1",
    state: "completed",
    request: "",
    transactionId: "txn_1",
  } as const;
  const unmarked = { mark: null, markReadAt: null, unmarkedKey: null, otherKeys: [], readOnlySince: null };
  const about = { key: "service:re_1", paymentId: payment.id, amount: xof(minor), requestedAt: clock.now() };
  await ledger.commit({ refunds: [{ ...made, ...unmarked, ...about }], timeline: [] });
}

test("a refund with the copied note of another one is the owner's task, and the record itself is not paid again", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  const { sent } = answerReads(fixture);
  await madeAtService(fixture, payment, 1_000);
  await refundInShop(fixture, order, 1_000, "Tillkit refund re_1");
  expect(await noticesOf(fixture)).not.toContain("its note names another refund");
  await refundInShop(fixture, order, 1_000, "Tillkit refund re_1");
  await refundInShop(fixture, order, 700, "Tillkit refund re_1");
  expect((await noticesOf(fixture)).match(/its note names another refund/g)).toHaveLength(2);
  expect([sent, (await fixture.ledger.refunds(payment.id)).length]).toEqual([[], 1]);
});

test("the owner reads how much can be refunded when a refund of the shop is larger", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  const { sent } = answerReads(fixture);
  await madeAtService(fixture, payment, 4_000);
  await refundInShop(fixture, order, 2_000);
  expect(await noticesOf(fixture)).toMatch(/is not paid\. Nothing was refunded: at most 1.000.F.CFA can be refunded/);
  expect(sent).toEqual([]);
});

test("a refund of the shop whose payment names no transaction is the owner's task, and no money goes", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  const { sent } = answerReads(fixture);
  fixture.app.checkout.engine.ledger.transactions = async () => [];
  await refundInShop(fixture, order, 2_000);
  expect(await noticesOf(fixture)).toContain("nothing names the transaction that paid");
  expect([sent, await fixture.ledger.refunds(payment.id)]).toEqual([[], []]);
});

test("the owner is asked to look in the dashboard when a refund of the shop stays without a result", async () => {
  const { fixture, order } = await openPaidOrder();
  answerReads(fixture);
  await refundInShop(fixture, order, 2_000);
  expect(await noticesOf(fixture)).not.toContain("Look in its dashboard");
  await fixture.clock.advance(limits.refundSettlesMs + 60_000);
  await fixture.app.runDue();
  const page = await noticesOf(fixture);
  expect(page).toContain("Look in its dashboard");
  expect(page).toContain(PAGE);
});
