import { describe, expect, it } from "vitest";
import type { Dispute } from "../../src/index.ts";
import { refundableRest, requestRest } from "../../src/store-refunds.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";
import { deliver, fixtureWithPaidOrder, francs, refund } from "../refunds/refund-steps.ts";

async function openCanceledOrder() {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  const { engine, ledger } = fixture;
  async function payment() {
    const found = await ledger.find({ id: paymentId });
    if (!found) throw new Error("The ledger has no such payment.");
    return found;
  }
  async function cancel() {
    const answer = await requestRest({ engine, ledger }, await payment(), "shop:cancel");
    return answer?.kind === "refused" ? answer.why.kind : (answer?.kind ?? null);
  }
  async function dispute(minor: number) {
    const now = fixture.clock.now();
    const facts = { reason: "fraudulent", outcome: null, evidenceDueBy: null, openedAt: now, updatedAt: now };
    const { transactionId } = await payment();
    const opened: Dispute = {
      id: "dispute-1",
      paymentId,
      transactionId,
      amount: francs(minor),
      status: "pending",
      ...facts,
    };
    await ledger.commit({ disputes: [opened], timeline: [] });
  }
  async function payAgain() {
    const second = { id: "second", sessionId: "session-1", wireAmount: 5_000, currency: "XOF", status: "completed" };
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    const named = { checkout_session_id: "session-1", transaction_id: "second" };
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", named);
  }
  const sent = () => fixture.service.refunds.map(({ wireAmount }) => wireAmount);
  return { fixture, paymentId, payment, cancel, dispute, payAgain, sent };
}

describe("a shop that cancels a paid order", () => {
  it("gives back what is left, once", async () => {
    const { fixture, paymentId, cancel, sent } = await openCanceledOrder();
    await refund(fixture, paymentId, 1_000, "shop:1");
    expect([await cancel(), await cancel()]).toEqual(["made", "made"]);
    expect(sent()).toEqual([1_000, 4_000]);
  });

  it("sends a new refund after one that the service refused", async () => {
    const { fixture, cancel, sent } = await openCanceledOrder();
    fixture.service.refuseRefunds = true;
    expect(await cancel()).toBe("refused_by_service");
    fixture.service.refuseRefunds = false;
    expect([await cancel(), await cancel()]).toEqual(["made", "made"]);
    expect(sent()).toEqual([5_000]);
    expect(new Set(fixture.service.refundPosts.map(({ key }) => key)).size).toBe(2);
  });

  it("repeats its own refund whose answer was lost", async () => {
    const { fixture, cancel, sent } = await openCanceledOrder();
    fixture.service.lostResponses = 1;
    expect([await cancel(), await cancel()]).toEqual(["unknown", "made"]);
    expect(sent()).toEqual([5_000]);
  });

  it("is refused while another refund has no result", async () => {
    const { fixture, paymentId, cancel, sent } = await openCanceledOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 1_000, "shop:1");
    expect(await cancel()).toBe("refund_unknown");
    expect(sent()).toEqual([1_000]);
  });

  it("leaves disputed money where it is", async () => {
    const { fixture, payment, cancel, dispute, sent } = await openCanceledOrder();
    expect(await refundableRest(fixture.ledger, await payment(), francs(5_000))).toEqual(francs(5_000));
    await dispute(4_000);
    expect(await refundableRest(fixture.ledger, await payment(), francs(5_000))).toEqual(francs(1_000));
    expect(await cancel()).toBe("made");
    expect(sent()).toEqual([1_000]);
  });

  it("refunds the transaction that paid the order, although its page was paid twice", async () => {
    const { fixture, cancel, payAgain, sent } = await openCanceledOrder();
    await payAgain();
    expect([await cancel(), await cancel()]).toEqual(["made", "made"]);
    expect(sent()).toEqual([5_000]);
    expect(fixture.service.refunds).toMatchObject([{ transactionId: "transaction-of-session-1" }]);
  });

  it("leaves disputed money where it is, although the same amount of another transaction of the page is still there", async () => {
    const { fixture, payment, cancel, dispute, payAgain, sent } = await openCanceledOrder();
    await payAgain();
    await dispute(5_000);
    expect(await refundableRest(fixture.ledger, await payment(), francs(5_000))).toEqual(francs(0));
    expect(await cancel()).toBeNull();
    expect(sent()).toEqual([]);
  });

  it("refunds no payment that pays no order", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const payment = await fixture.ledger.find({ id: paymentId });
    if (!payment) throw new Error("The ledger has no such payment.");
    expect(await requestRest(fixture, payment, "shop:cancel")).toBeNull();
    expect(fixture.service.refundPosts).toEqual([]);
  });
});
