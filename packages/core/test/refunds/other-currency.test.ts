import { expect, it } from "vitest";
import { offerOf, viewOf } from "../../src/back-office/offers.ts";
import { gatherMovements, refundPayment } from "../../src/index.ts";
import { deliver, fixtureWithPaidOrder, francs } from "./refund-steps.ts";

const DOLLARS = { minor: 900, currency: "USD" };
const HOST = { refundsPaid: true, failedRefunds: [], seen: [] } as const;

it.each([francs(800), DOLLARS])(
  "a session of francs that was also paid in dollars offers no refund of the dollars, and makes none: %j",
  async (amount) => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const second = { id: "second", sessionId: "session-1", wireAmount: 900, currency: "USD", status: "completed" };
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    const ofSession = { checkout_session_id: "session-1", transaction_id: "second" };
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", ofSession);
    const payment = await fixture.expectPaymentIn("recorded");
    const view = viewOf(payment, await gatherMovements(fixture.ledger, paymentId), HOST, fixture.clock.now());
    expect.soft(offerOf(view, "refund", "second")).toMatchObject({ why: { kind: "no_money" } });
    expect.soft(offerOf(view, "refund")).toMatchObject({ why: null, max: francs(5000) });
    const decision = { paymentId, key: "click-1", amount, origin: "tillkit", transactionId: "second" } as const;
    await expect(refundPayment(fixture.engine, decision)).rejects.toMatchObject({ code: "refund_not_possible" });
    expect(fixture.service.refunds).toEqual([]);
  },
);
