import type { FaultRequest } from "@tillkit/sandbox";
import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";
import type { Refusal } from "./owner.ts";
import type { PaymentRow } from "./probe.ts";
import { waitUntil } from "./probe.ts";
import type { StartedPayment } from "./shopper.ts";

/** A basket with its delivery: 5,500 francs. Vendure counts every currency in hundredths; the service counts whole francs. */
export const BASKET_IN_VENDURE = 550_000;
export const BASKET_AT_SERVICE = 5_500;
/** Six yards of wax cloth with their delivery. */
export const WAX_CLOTH_AT_SERVICE = 13_000;

export type PaidOrder = StartedPayment & { readonly orderId: number; readonly paymentId: number };

/** Waits until Vendure shows the order as settled, and expects one payment that settled the order once. */
export async function expectSettledOnce(
  fixture: Fixture,
  orderCode: string,
  amount = BASKET_IN_VENDURE,
): Promise<PaymentRow> {
  const { probe } = fixture;
  await waitUntil(
    () => probe.order(orderCode),
    ({ state }) => state === "PaymentSettled",
  );
  const payments = await probe.payments(orderCode);
  expect(payments).toMatchObject([{ state: "Settled", amount, ours: true }]);
  expect(await probe.timesSettled(orderCode)).toBe(1);
  return payments[0] as PaymentRow;
}

/** Buys a basket with its delivery. */
export async function buy(fixture: Fixture): Promise<PaidOrder> {
  const started = await fixture.newShopper().startPayment();
  await fixture.pay(started);
  const { id: paymentId } = await expectSettledOnce(fixture, started.orderCode);
  const { id: orderId } = await fixture.probe.order(started.orderCode);
  return { ...started, orderId, paymentId };
}

/** The refunds of an order's session at the service, in its own unit. */
export async function serviceRefunds(fixture: Fixture, checkoutId: string): Promise<readonly number[]> {
  const events = await fixture.sandbox.control.listEvents({ sessionId: checkoutId });
  const transactions = new Set(events.map(({ transaction_id }) => transaction_id));
  const { data } = await fixture.service.refunds.list();
  return data.items
    .filter(({ transactionId, status }) => transactionId && transactions.has(transactionId) && status !== "failed")
    .map(({ amount }) => amount ?? 0);
}

/** The shop refunds a part of a payment in the service's own dashboard. `amount` in the service's unit. */
export async function refundAtService(
  { sandbox, service }: Fixture,
  checkoutId: string,
  amount: number,
): Promise<void> {
  const events = await sandbox.control.listEvents({ sessionId: checkoutId });
  const transaction_id = events.find(({ event }) => event === "PAYMENT_SUCCEEDED")?.transaction_id ?? "";
  const body = { transaction_id, amount, reason: "requested_by_customer", refund_type: "partial" } as const;
  await service.refunds.create(body, { idempotencyKey: `dashboard-${checkoutId}-${amount}` });
}

/** Waits until the payment of this session is among those that the owner must review. */
export async function waitForReview(fixture: Fixture, { orderCode }: StartedPayment) {
  const owner = await fixture.owner();
  const shown = await waitUntil(owner.paymentsToReview, (payments) =>
    payments.some((payment) => payment.orderCode === orderCode),
  );
  return shown.filter((payment) => payment.orderCode === orderCode);
}

/** Waits for the note on the order; a job writes the note after the payment is held. */
export async function waitForReviewNote({ probe }: Fixture, { orderCode }: StartedPayment): Promise<void> {
  await waitUntil(
    () => probe.notes(orderCode),
    (notes) => notes.join().includes("needs a review"),
  );
}

/** Runs `work` while the service has this fault. */
export async function withFault<Result>(
  { sandbox: { control } }: Fixture,
  fault: FaultRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  await control.addFault(fault);
  try {
    return await work();
  } finally {
    const others = control.listFaults().filter(({ method, path }) => method !== fault.method || path !== fault.path);
    await control.clearFaults();
    for (const other of others) await control.addFault(other);
  }
}

/**
 * Lets a payment settle the order between the moment when `edit` reads the order and the moment when it writes the order: the test
 * holds the order's row until both wait for it, the settlement first.
 * @returns the message with which Vendure refuses the edit; null when it makes the edit
 */
export async function editDuringSettlement(
  fixture: Fixture,
  orderCode: string,
  { settle, edit }: { readonly settle: () => Promise<unknown>; readonly edit: () => Promise<unknown> },
): Promise<string | null> {
  const { sql } = fixture;
  await sql("begin");
  await sql(`select 1 from "order" where code = '${orderCode}' for update`);
  const settled = settle();
  await waitForBlocked(fixture, 1);
  const refusal = edit().then(
    () => null,
    (error: Error) => error.message,
  );
  await waitForBlocked(fixture, 2);
  await sql("commit");
  await settled;
  return await refusal;
}

/** Waits until this number of statements waits for a lock. */
export async function waitForBlocked({ sql }: Fixture, statements: number): Promise<void> {
  await waitUntil(
    () => sql("select 1 from pg_locks where not granted"),
    (rows) => rows.length === statements,
  );
}

/** Creates a promotion that halves the price of an order with this coupon. @returns its id */
export async function createPromotion(fixture: Fixture, { couponCode }: { readonly couponCode: string }) {
  const { call } = await fixture.owner();
  const halfPrice = { code: "order_percentage_discount", arguments: [{ name: "discount", value: "50" }] };
  const { createPromotion: created } = await call<{ createPromotion: { id: string } }>(
    "mutation ($input: CreatePromotionInput!) { createPromotion(input: $input) { ... on Promotion { id } } }",
    {
      input: {
        couponCode,
        enabled: true,
        conditions: [],
        actions: [halfPrice],
        translations: [{ languageCode: "en", name: couponCode, description: "" }],
      },
    },
  );
  return created.id;
}

/** Adds a payment method, which has the code of its handler, unless the shop has this method. */
export async function createPaymentMethod(fixture: Fixture, code: string): Promise<void> {
  const { call } = await fixture.owner();
  type Methods = { paymentMethods: { items: { code: string }[] } };
  const { paymentMethods } = await call<Methods>("{ paymentMethods { items { code } } }");
  if (paymentMethods.items.some((method) => method.code === code)) return;
  const handler = { code, arguments: [] };
  const translations = [{ languageCode: "en", name: code, description: "" }];
  await call("mutation ($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }", {
    input: { code, handler, translations, enabled: true },
  });
}

const NOT_READABLE = { method: "GET", path: "/refunds", status: 503, times: 1_000 } as const;
const ANSWER_LOST = { method: "POST", path: "/refunds", when: "after", reset: true, times: 1_000 } as const;

/** The oldest fault that matches a request is taken first, so this one lets a single read pass. */
const READABLE_ONCE = { method: "GET", path: "/refunds", delayMs: 1, times: 1 } as const;

/** The service makes the refund and its answer is lost. The refunds are read before one is sent, and cannot be read after that. */
export async function refundWithLostAnswer(fixture: Fixture, paymentId: number, amount: number): Promise<Refusal> {
  const owner = await fixture.owner();
  return await withFault(fixture, ANSWER_LOST, () =>
    withFault(fixture, READABLE_ONCE, () => withFault(fixture, NOT_READABLE, () => owner.refund(paymentId, amount))),
  );
}
