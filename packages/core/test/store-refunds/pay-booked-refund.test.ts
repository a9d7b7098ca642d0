import { describe, expect, it } from "vitest";
import { confirmPayment, limits } from "../../src/index.ts";
import { payBookedRefund } from "../../src/store-refunds.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { acceptShown, HOUR, passMinutes, payTwice, startAndPay } from "../fixture/steps.ts";
import { addDashboardRefund, fixtureWithPaidOrder, francs } from "../refunds/refund-steps.ts";

/** The shop has booked a refund of order 1042 and tells of it. */
async function tell(
  { engine, ledger, clock }: EngineFixture,
  minor: number,
  {
    key = "shop:1",
    names = [] as readonly string[],
    bookedAt = clock.now(),
    currency = "XOF",
    isNamedBefore = false,
  } = {},
) {
  const payments = await ledger.paymentsOfOrder({ storeId: "shop", orderId: "1042" });
  const amount = minor === 0 ? null : { minor, currency };
  return await payBookedRefund({ engine, ledger }, payments, { key, names, isNamedBefore, amount, bookedAt });
}

const sent = ({ service }: EngineFixture) =>
  service.refunds.filter(({ key }) => key !== "dashboard").map(({ wireAmount }) => wireAmount);

describe("a refund that a shop has booked", () => {
  it("is paid once, however often the shop tells of it, and another of the same amount is paid too", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    for (const key of ["shop:1", "shop:1", "shop:2"])
      expect(await tell(fixture, 1_000, { key })).toEqual({ kind: "paid" });
    expect(sent(fixture)).toEqual([1_000, 1_000]);
  });

  it("a booked refund of nothing, or in another currency, sends nothing", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    expect(await tell(fixture, 0)).toEqual({ kind: "nothing_to_pay" });
    expect(await tell(fixture, 1_000, { currency: "EUR" })).toEqual({ kind: "nothing_to_pay" });
    expect(fixture.service.refundPosts).toEqual([]);
  });

  it("a booked refund that is too large, or that the service refuses, is the owner's task", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    expect(await tell(fixture, 5_001)).toMatchObject({ kind: "unpaid", why: { kind: "too_large" } });
    fixture.service.refuseRefunds = true;
    expect(await tell(fixture, 1_000)).toMatchObject({ kind: "unpaid", why: { kind: "refused_by_service" } });
    expect(sent(fixture)).toEqual([]);
  });

  it("a booked refund of a payment that waits for a decision is the owner's task", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 4_000 };
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(await tell(fixture, 1_000)).toMatchObject({ kind: "unpaid", why: { kind: "undecided" } });
    expect(sent(fixture)).toEqual([]);
  });

  it("a booked refund of all that the shop counts sends back all that arrived, once", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 4_000 };
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await acceptShown(fixture, paymentId);
    await fixture.work();
    for (const _ of [1, 2]) expect(await tell(fixture, 5_000)).toEqual({ kind: "paid" });
    expect(sent(fixture)).toEqual([4_000]);
  });

  it("the record of a refund of the service is not paid a second time", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 1_000);
    await tell(fixture, 500, { key: "shop:other" });
    expect(await tell(fixture, 1_000, { names: ["refund-9"] })).toEqual({ kind: "nothing_to_pay" });
    expect(await tell(fixture, 1_000)).toEqual({ kind: "paid" });
    expect(sent(fixture)).toEqual([500, 1_000]);
  });

  it("a refund whose note was copied from the record of another one is the owner's task, because only they know what it is", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 1_000);
    await tell(fixture, 500, { key: "shop:other" });
    const names = ["refund-9"];
    const copy = { kind: "unpaid", why: { kind: "names_another" } };
    expect(await tell(fixture, 1_000, { names, isNamedBefore: true })).toMatchObject(copy);
    expect(await tell(fixture, 700, { names })).toMatchObject(copy);
    expect(await tell(fixture, 1_000, { names })).toEqual({ kind: "nothing_to_pay" });
    expect(sent(fixture)).toEqual([500]);
  });

  it("a late booked refund of an amount that was refunded at the service meanwhile is the owner's task", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    const bookedAt = fixture.clock.now();
    await fixture.clock.advance(limits.promptRefundMs);
    addDashboardRefund(fixture, 1_000, fixture.clock.now());
    expect(await tell(fixture, 1_000, { bookedAt })).toMatchObject({
      kind: "unpaid",
      why: { kind: "made_at_service" },
    });
    expect(await tell(fixture, 1_001, { bookedAt })).toEqual({ kind: "paid" });
    expect(sent(fixture)).toEqual([1_001]);
  });

  it("a booked refund without a result waits, and a person is asked only after long", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    fixture.service.fail = "posts-down";
    expect(await tell(fixture, 1_000)).toMatchObject({ kind: "waits", isLongInDoubt: false });
    expect(await tell(fixture, 2_000, { key: "shop:2" })).toEqual({ kind: "waits_for_another" });
    await fixture.clock.advance(limits.refundSettlesMs);
    expect(await tell(fixture, 1_000)).toMatchObject({ kind: "waits", isLongInDoubt: true });
    fixture.service.fail = null;
    await fixture.clock.advance(HOUR / 2);
    expect(await tell(fixture, 1_000)).toEqual({ kind: "paid" });
    expect(sent(fixture)).toEqual([1_000]);
  });

  it("while the service cannot be read, another try may solve it", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    fixture.service.fail = "down";
    await expect(tell(fixture, 1_000)).rejects.toMatchObject({ code: "service_unavailable" });
  });

  it("a booked refund goes to the payment that the order shows and not to an older duplicate", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    await payTwice(fixture);
    await passMinutes(fixture, 5);
    const shown = await fixture.expectPaymentIn("recorded");
    await fixture.expectPaymentIn("refunded");
    expect(await tell(fixture, 1_000)).toEqual({ kind: "paid" });
    expect(await fixture.ledger.refunds(shown.id)).toMatchObject([{ amount: francs(1_000), origin: "store" }]);
  });
});
