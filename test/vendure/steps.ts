import type { FaultRequest } from "@tillkit/sandbox";
import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";
import type { PaymentRow } from "./probe.ts";
import { waitUntil } from "./probe.ts";
import type { StartedPayment } from "./shopper.ts";

/** A basket with its delivery: 5,500 francs. Vendure counts every currency in hundredths; the service counts whole francs. */
export const BASKET_IN_VENDURE = 550_000;
export const BASKET_AT_SERVICE = 5_500;

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
