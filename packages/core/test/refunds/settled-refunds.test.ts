import { describe, expect, it } from "vitest";
import { confirmPayment, gatherMovements, refundPayment, settleRefund } from "../../src/index.ts";
import { equationOf } from "../../src/ledger.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, refundShown, startAndPay } from "../fixture/steps.ts";
import { deliver, fixtureWithPaidOrder, francs, refund, refundedTotal, withService } from "./refund-steps.ts";

const TRANSACTION = "transaction-of-session-1";

describe("a refund that a person settled", () => {
  it("as made is one row of the service's list, and every further row of the same amount counts", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.fail = "posts-down";
    await refund(fixture, paymentId, 1000, "click-1");
    fixture.service.fail = null;
    await settleRefund(fixture.engine, { paymentId, key: "click-1", wasMade: true, by: "owner" });
    for (const id of ["refund-7", "refund-8", "refund-9"]) {
      const row = { key: id, id, status: "completed", wireAmount: 1000, transactionId: TRANSACTION } as const;
      fixture.service.refunds.push({ ...row, createdAt: fixture.clock.now() });
    }
    await deliver(fixture, "e", "REFUND_COMPLETED", { refund_id: "refund-9", transaction_id: TRANSACTION });
    await passMinutes(fixture, 5);
    const payment = await fixture.expectPaymentIn("recorded");
    expect.soft(equationOf(payment, await gatherMovements(fixture.ledger, paymentId)).returned).toEqual(francs(3000));
    await refund(fixture, paymentId, 4000, "click-2").catch(() => null);
    expect(refundedTotal(fixture)).toBe(3000);
  });

  it.each([true, false])(
    "while its request is under way (made: %s) ends as the service answers, so the shop is never told that it failed",
    async (wasMade) => {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      const engine = withService(fixture.engine, (service) => ({
        refund: async (input) => {
          const reading = await service.refund(input);
          await settleRefund(fixture.engine, { paymentId, key: "click-1", wasMade, by: "owner" });
          return reading;
        },
      }));
      const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
      expect(await refundPayment(engine, click)).toMatchObject({ state: "completed", refundId: "refund-1" });
    },
  );

  it("as not made, and that the service shows later, is told to the store as completed", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 2000, "click-1");
    fixture.service.unlisted.add("refund-1");
    await settleRefund(fixture.engine, { paymentId, key: "click-1", wasMade: false, by: "owner" });
    await fixture.work();
    expect(fixture.store.refunds).toEqual([" 2000 failed"]);
    fixture.service.unlisted.clear();
    await deliver(fixture, "e", "REFUND_COMPLETED", { refund_id: "refund-1", transaction_id: TRANSACTION });
    await passMinutes(fixture, 5);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ key: "click-1", state: "completed" }]);
    expect(fixture.store.refunds).toEqual([" 2000 failed", "refund-1 2000 completed"]);
  });
});

it("an owner refunds the rest of a held payment after its dispute was won", async () => {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  fixture.store.order = anOrder({ total: francs(6000) });
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  const ids = { dispute_id: "dispute-1", transaction_id: TRANSACTION, checkout_session_id: "session-1" };
  const dispute = { ...ids, amount: 4000, currency_code: "XOF" };
  await deliver(fixture, "d1", "DISPUTE_CREATED", { ...dispute, status: "pending" });
  expect(await refundShown(fixture, paymentId)).toMatchObject({ refund: { amount: francs(1000) } });
  await fixture.clock.advance(1000);
  const updated_at = new Date(fixture.clock.now()).toISOString();
  await deliver(fixture, "d2", "DISPUTE_CLOSED", { ...dispute, status: "closed", outcome: "won", updated_at });
  expect(await refundShown(fixture, paymentId)).toMatchObject({ refund: { amount: francs(4000) } });
  expect(refundedTotal(fixture)).toBe(5000);
});
