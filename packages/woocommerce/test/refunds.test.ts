import { money } from "@tillkit/core";
import type { ShopOrder } from "@tillkit/fake-woocommerce";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { loseRefundAnswers, refundedAtService } from "./money-steps.ts";
import { openServerFixture, type ServerFixture } from "./server-fixture.ts";
import { calls } from "./vectors.ts";

describe("refund calls", () => {
  it("a partial refund is made once, however often its key is sent", async () => {
    const { fixture, order } = await openPaidOrder();
    const input = refundInput(order, "1500.00");
    const first = await fixture.call("refund", input);
    expect(first).toMatchObject({
      status: 200,
      body: { refund_key: input.refund_key, state: "completed", amount: { minor: 1_500, currency: "XOF" } },
    });
    expect(await fixture.call("refund", input)).toEqual(first);
    expect(await refundedAtService(fixture)).toBe(1_500);
  });

  it("a refund larger than the remaining amount is refused", async () => {
    const { fixture, order } = await openPaidOrder();
    expect((await fixture.call("refund", refundInput(order, "4000"))).status).toBe(200);
    const result = await fixture.call("refund", refundInput(order, "1001"));
    expect(result).toMatchObject({ status: 409, body: { code: "tillkit_refund_refused" } });
    expect(await refundedAtService(fixture)).toBe(4_000);
  });

  it("a refund of a fully refunded payment is refused, and the message says that it was already refunded", async () => {
    const { fixture, order } = await openPaidOrder();
    expect((await fixture.call("refund", refundInput(order, "5000"))).status).toBe(200);
    await waitFor(async () => expect(await states(fixture, order)).toEqual(["refunded"]));
    const { body } = await fixture.call("refund", { ...refundInput(order, "100"), language: "fr" });
    expect(body.message).toContain("Il ne reste rien à rembourser");
  });

  it("a refund of an inexact amount or in another currency is refused", async () => {
    const { fixture, order } = await openPaidOrder();
    expect((await fixture.call("refund", refundInput(order, "10.50"))).status).toBe(422);
    expect((await fixture.call("refund", { ...refundInput(order, "10"), currency: "EUR" })).status).toBe(409);
    expect(await refundedAtService(fixture)).toBe(0);
  });

  it("a refund with the key of an earlier refund and another amount is refused", async () => {
    const { fixture, order } = await openPaidOrder();
    const input = refundInput(order, "1000");
    await fixture.call("refund", input);
    expect((await fixture.call("refund", { ...input, amount: "2000" })).status).toBe(409);
    expect(await refundedAtService(fixture)).toBe(1_000);
  });

  it("a refund of an unpaid order or with the order key of a copy of the shop is refused", async () => {
    const { fixture, order } = await openPaidOrder();
    const unpaid = fixture.fake.shop.placeOrder({ total: "5000" });
    expect((await fixture.call("refund", refundInput(unpaid, "100"))).status).toBe(404);
    expect((await fixture.call("refund", { ...refundInput(order, "100"), key: "wc_order_of_the_copy" })).status).toBe(
      404,
    );
    expect(await refundedAtService(fixture)).toBe(0);
  });

  it("a second tab's refund of an amount that the order shows as refunded a moment ago is refused", async () => {
    const { fixture, order } = await openPaidOrder();
    const first = refundInput(order, "1500");
    await fixture.call("refund", { ...first, shown: shownBy() });
    const second = { ...refundInput(order, "1500"), shown: shownBy({ refund_key: first.refund_key }) };
    const { status, body } = await fixture.call("refund", second);
    expect([status, body.message]).toEqual([409, expect.stringContaining("vient d’être remboursé")]);
    expect(await refundedAtService(fixture)).toBe(1_500);
  });

  it("a refund that was made and that the order does not show is the requested one", async () => {
    const { fixture, order } = await openPaidOrder();
    await fixture.call("refund", { ...refundInput(order, "1500"), shown: shownBy() });
    expect((await fixture.call("refund", { ...refundInput(order, "1500"), shown: shownBy() })).status).toBe(200);
    expect(await refundedAtService(fixture)).toBe(1_500);
  });

  it("a refund made by an older plugin, which the order shows without a name, is not taken for the requested one", async () => {
    const { fixture, order } = await openPaidOrder();
    await fixture.call("refund", refundInput(order, "1500"));
    const second = { ...refundInput(order, "1500"), shown: shownBy({}) };
    expect((await fixture.call("refund", second)).status).toBe(200);
    expect(await refundedAtService(fixture)).toBe(3_000);
  });

  it("a refund whose answer was lost is made once, however often the owner clicks", async () => {
    const { fixture, order } = await openPaidOrder();
    await loseRefundAnswers(fixture);
    const input = refundInput(order, "1500");
    // The webhook of the refund may arrive before the lost responses.
    const first = await fixture.call("refund", input);
    expect(["unknown", "completed"]).toContain(first.body.state);
    await fixture.sandbox.control.clearFaults();
    for (const _ of [1, 2]) {
      expect(await fixture.call("refund", input)).toMatchObject({ status: 200, body: { state: "completed" } });
    }
    expect(await refundedAtService(fixture)).toBe(1_500);
  });

  it("a refund while the shop has not answered our write is told so, and not that the payment service is silent", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    for (const _ of [1, 2, 3, 4]) fixture.fake.faults.failNextWrite("lost-before-effect");
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).storeWriteAt).not.toBeNull());
    const { status, body } = await fixture.call("refund", { ...refundInput(order, "1500"), language: "en" });
    const reason = "The shop is still being told of this payment: try again in a few minutes.";
    expect([status, body.message]).toEqual([503, reason]);
    expect(await refundedAtService(fixture)).toBe(0);
  });

  it("a refund that fails after WooCommerce recorded it adds a note and sets the attention meta", async () => {
    const { fixture, order } = await openPaidOrder();
    await fixture.sandbox.control.changeSettings({ refunds: "pending" });
    const { body } = await fixture.call("refund", refundInput(order, "1500"));
    expect(body.state).toBe("pending");
    fixture.fake.shop.addRefund(order.id, { amount: "1500.00", reason: "", meta: {} });
    await fixture.sandbox.control.failRefund(String(body.refund));
    await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_attention).toBe("refund_failed"));
    expect(fixture.fake.shop.notes(order.id).join()).toContain("a échoué : le client n’a pas reçu l’argent");
    expect(fixture.fake.shop.refunds(order.id)).toHaveLength(1);
  });
});

describe("refunds from the dashboard of the service", () => {
  it("a refund from the dashboard is recorded once in the shop and not sent to the gateway", async () => {
    const { fixture, order, payment } = await openPaidOrder();
    await refundAtService(fixture, payment.id, 1_500);
    await waitFor(() => expect(fixture.fake.shop.refunds(order.id)).toHaveLength(1));
    const [refund] = fixture.fake.shop.refunds(order.id);
    expect(refund?.amount).toBe("1500.00");
    expect(refund?.meta._tillkit_refund_id).toBeTruthy();
    await fixture.call("check", { order: String(order.id), key: order.key });
    expect(fixture.fake.shop.refunds(order.id)).toHaveLength(1);
  });

  it("a refund that the owner entered by hand is not recorded twice, and a note asks the owner to check", async () => {
    const { fixture, order, payment } = await openPaidOrder();
    fixture.fake.shop.addRefund(order.id, { amount: "5000.00", reason: "By hand", meta: {} });
    await refundAtService(fixture, payment.id, 5_000);
    await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_attention).toBe("refund_not_recorded"));
    expect(fixture.fake.shop.notes(order.id).join()).toContain("a refusé d’enregistrer le remboursement");
    expect(fixture.fake.shop.refunds(order.id)).toHaveLength(1);
  });
});

describe("duplicate payments", () => {
  it("the second of two paid sessions is refunded automatically and leaves the order unchanged", async () => {
    const fixture = await openServerFixture({ config: { autoRefund: ["duplicate"] } });
    const { order, payment: first } = await fixture.openOrder();
    fixture.fake.shop.edit(order.id, { total: "6000" });
    await fixture.follow(order);
    fixture.fake.shop.edit(order.id, { total: "5000" });
    const second = await fixture.payment(order.id);
    expect(second.id).not.toBe(first.id);
    await fixture.pay(first);
    await waitFor(async () => expect(await states(fixture, order)).toContain("recorded"));
    await fixture.pay(second);
    await waitFor(async () => expect(await states(fixture, order)).toEqual(["recorded", "refunded"]));
    await waitFor(() => expect(fixture.fake.shop.notes(order.id).join()).toContain("d’un second paiement"));
    expect(fixture.fake.shop.refunds(order.id)).toEqual([]);
    expect(fixture.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      meta: { _tillkit_payment_id: first.id },
    });
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });
});

describe("refunded duplicates", () => {
  it("a refund concerns the payment that the order shows after a duplicate was refunded", async () => {
    const fixture = await openServerFixture({ config: { autoRefund: ["duplicate"] } });
    const { order, payment: first } = await fixture.openOrder();
    fixture.fake.shop.edit(order.id, { total: "6000" });
    await fixture.follow(order);
    await fixture.pay(await fixture.payment(order.id));
    await waitFor(async () => expect(await states(fixture, order)).toContain("recorded"));
    await fixture.pay(first);
    await waitFor(async () => expect(await states(fixture, order)).toEqual(["refunded", "recorded"]));
    const input = refundInput(order, "1500");
    for (const _ of [1, 2]) {
      expect(await fixture.call("refund", input)).toMatchObject({ status: 200, body: { state: "completed" } });
    }
    expect(await refundedAtService(fixture)).toBe(6_500);
  });
});

describe("payments by another plugin", () => {
  it("our payment of an order paid by another plugin is refunded automatically, and the order stays paid", async () => {
    const fixture = await openServerFixture({ config: { autoRefund: ["duplicate"] } });
    const { order, payment } = await fixture.openOrder();
    fixture.fake.shop.edit(order.id, { status: "processing", paymentMethod: "another_plugin" });
    await fixture.pay(payment);
    await waitFor(async () => expect(await states(fixture, order)).toEqual(["refunded"]));
    await waitFor(() => expect(fixture.fake.shop.notes(order.id).join()).toContain("[tillkit note "));
    expect(fixture.fake.shop.order(order.id)).toMatchObject({ status: "processing", paymentMethod: "another_plugin" });
    expect(fixture.fake.shop.effects).toEqual([]);
    expect(fixture.fake.shop.refunds(order.id)).toEqual([]);
  });
});

async function openPaidOrder() {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  await fixture.pay(payment);
  await waitFor(async () => expect(await states(fixture, order)).toEqual(["recorded"]));
  return { fixture, order, payment: await fixture.payment(order.id) };
}

async function states(fixture: ServerFixture, order: ShopOrder): Promise<readonly string[]> {
  return (await fixture.payments(order.id)).map(({ state }) => state);
}

/** What the plugin says that the order shows: refunds of 1,500 francs, without a name. */
function shownBy(...refunds: readonly object[]) {
  const [example] = calls.refundShown.refunds;
  return { ...calls.refundShown, refunds: refunds.map((refund) => ({ ...example, refund: "", ...refund })) };
}

let lastKeyNumber = 0;

function refundInput(order: ShopOrder, amount: string) {
  lastKeyNumber += 1;
  return {
    order: String(order.id),
    key: order.key,
    refund_key: `refund-key-${lastKeyNumber}`,
    amount,
    currency: "XOF",
  };
}

/** Refunds a payment at the service, as its owner does in the service's dashboard. */
async function refundAtService(fixture: ServerFixture, paymentId: string, minor: number): Promise<void> {
  const { engine } = fixture.server().checkout;
  const payment = await fixture.ledger.find({ id: paymentId });
  const service = await engine.tenants.service(payment?.credentialId ?? "");
  const transactionId = payment && (await service.readSession(payment, 5_000)).transactionId;
  const request = JSON.stringify({
    transaction_id: transactionId,
    amount: money(minor, "XOF").minor,
    reason: "requested_by_customer",
    refund_type: minor === payment?.amountDue.minor ? "full" : "partial",
  });
  const call = { account: null, deadlineMs: 5_000, sendBy: Number.MAX_SAFE_INTEGER };
  await service.refund({ paymentId, request, key: `dashboard-${paymentId}`, ...call });
}
