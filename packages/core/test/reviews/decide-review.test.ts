import { describe, expect, it } from "vitest";
import { acceptReview, confirmPayment, findingKey } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { acceptShown, refundButton, refundShown, startAndPay, startPayment } from "../fixture/steps.ts";

const editedOrder = anOrder({ total: { minor: 4500, currency: "XOF" } });

async function fixtureWithHeldPayment(
  prepare: (fixture: EngineFixture) => void,
): Promise<{ fixture: EngineFixture; paymentId: string }> {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  prepare(fixture);
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  await fixture.work();
  await fixture.expectPaymentIn("review");
  return { fixture, paymentId };
}

const sessionOf = (fixture: EngineFixture) => {
  const session = fixture.service.sessions.get("session-1");
  if (!session) throw new Error("There is no session.");
  return session;
};

describe("the merchant's decision about a payment under review", () => {
  // #region accepted
  it("an accepted order change marks the order paid and stores the waiver", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    const { finding } = await fixture.expectPaymentIn("review");
    const seen = finding ? findingKey(finding) : "";
    expect(await acceptReview(fixture.engine, { paymentId, by: "owner", findingKey: seen })).toMatchObject({
      status: "paid",
    });
    expect(fixture.store.paid).toMatchObject([
      { paid: { minor: 5000, currency: "XOF" }, total: { minor: 4500, currency: "XOF" } },
    ]);
    const { waiver } = await fixture.expectPaymentIn("recorded");
    expect(waiver).toMatchObject({
      by: "owner",
      finding: { code: "total_changed", found: { minor: 4_500, currency: "XOF" } },
    });
  });
  // #endregion accepted

  it("an owner who saw an earlier difference does not accept the present one", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    const { finding } = await fixture.expectPaymentIn("review");
    const seen = finding ? findingKey(finding) : "";
    fixture.store.order = anOrder({ total: { minor: 9000, currency: "XOF" } });
    await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    const accepting = acceptReview(fixture.engine, { paymentId, by: "owner", findingKey: seen });
    await expect(accepting).rejects.toMatchObject({ code: "ledger_busy", retryable: true });
    await fixture.expectPaymentIn("review");
    expect(fixture.store.paid).toEqual([]);
  });

  it("an acceptance is refused when something else that the owner saw has changed", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    const { finding } = await fixture.expectPaymentIn("review");
    const seen = finding ? findingKey(finding) : "";
    const stillApplies = async () => (await fixture.ledger.refunds(paymentId)).length > 0;
    const accepting = acceptReview(fixture.engine, { paymentId, by: "owner", findingKey: seen, stillApplies });
    await expect(accepting).rejects.toMatchObject({ code: "ledger_busy" });
    await fixture.expectPaymentIn("review");
  });

  it("an accepted difference does not cover another change of the order", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    fixture.store.order = anOrder({ total: { minor: 9000, currency: "XOF" } });
    expect(await acceptShown(fixture, paymentId)).toMatchObject({ status: "held" });
    expect(fixture.store.paid).toEqual([]);
  });

  it.each([
    ["somebody else's reference", { reference: "x.y" }],
    ["another environment", { environment: "live" }],
    ["another currency", { currency: "USD" }],
    ["a missing amount", { wireAmount: undefined }],
  ])("a payment that is held because of %s cannot be accepted", async (_name, overrides) => {
    const { fixture, paymentId } = await fixtureWithHeldPayment((started) => {
      sessionOf(started).overrides = overrides;
    });
    await expect(acceptShown(fixture, paymentId)).rejects.toMatchObject({
      code: "review_not_acceptable",
    });
    expect(fixture.store.paid).toEqual([]);
  });

  it("a payment that is not under review cannot be accepted", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    const deciding = acceptShown(fixture, paymentId);
    await expect(deciding).rejects.toMatchObject({ code: "review_not_acceptable" });
  });

  it("a payment whose amount and order total both differ cannot be accepted", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment((started) => {
      sessionOf(started).overrides = { wireAmount: 4999 };
      started.store.order = editedOrder;
    });
    expect(await acceptShown(fixture, paymentId)).toMatchObject({ status: "held" });
    const deciding = acceptShown(fixture, paymentId);
    await expect(deciding).rejects.toMatchObject({ code: "review_not_acceptable" });
    await refundShown(fixture, paymentId);
    expect(fixture.service.refunds).toMatchObject([{ wireAmount: 4999 }]);
    expect(fixture.store.paid).toEqual([]);
  });

  it("a held payment cannot be accepted while another payment counts for its order", async () => {
    const fixture = createEngineFixture();
    const first = await startPayment(fixture);
    fixture.store.order = editedOrder;
    const second = await startPayment(fixture, editedOrder);
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, first, { actor: "webhook" });
    fixture.service.pay("session-2");
    await confirmPayment(fixture.engine, second, { actor: "webhook" });
    expect((await fixture.ledger.find({ id: second }))?.state).toBe("recorded");
    const deciding = acceptShown(fixture, first);
    await expect(deciding).rejects.toMatchObject({ code: "review_not_acceptable" });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a refund of a held payment is made once for repeated clicks and written to the store", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    const click = await refundButton(fixture, paymentId);
    for (const _click of [1, 2, 3]) await click();
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
    expect(fixture.service.refunds).toHaveLength(1);
    const decisions = (await fixture.ledger.timeline({ paymentId })).filter(({ kind }) => kind === "refund_decided");
    expect(decisions).toMatchObject([{ actor: "operator", by: "owner" }]);
    expect(fixture.store.refunds).toEqual(["refund-1 5000 completed"]);
  });

  it("a payment that became paid while the page was open is not refunded", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    const click = await refundButton(fixture, paymentId);
    fixture.store.order = anOrder();
    await confirmPayment(fixture.engine, paymentId, { actor: "timer" });
    await fixture.expectPaymentIn("recorded");
    expect(await click()).toMatchObject({ status: "changed" });
    expect(fixture.service.refunds).toEqual([]);
  });

  it.each([4999, 5001])(
    "a refund of a held payment returns the amount received, not the amount due: %i",
    async (wireAmount) => {
      const { fixture, paymentId } = await fixtureWithHeldPayment((started) => {
        sessionOf(started).overrides = { wireAmount };
      });
      await refundShown(fixture, paymentId);
      expect(fixture.service.refunds).toMatchObject([{ wireAmount }]);
      await fixture.expectPaymentIn("refunded");
    },
  );

  it("a second click refunds a held payment when the service refused the first refund", async () => {
    const { fixture, paymentId } = await fixtureWithHeldPayment(({ store }) => {
      store.order = editedOrder;
    });
    fixture.service.refuseRefunds = true;
    expect(await refundShown(fixture, paymentId)).toMatchObject({ why: { kind: "refused_by_service" } });
    expect(await fixture.expectPaymentIn("review")).toMatchObject({ finding: { code: "total_changed" } });
    fixture.service.refuseRefunds = false;
    expect(await refundShown(fixture, paymentId)).toMatchObject({ status: "done", refund: { state: "completed" } });
    expect(fixture.service.refunds).toHaveLength(1);
    await fixture.expectPaymentIn("refunded");
  });
});
