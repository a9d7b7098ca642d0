import { money } from "@tillkit/core";
import type { ShopOrder } from "@tillkit/woocommerce/fake";
import { describe, expect, it, vi } from "vitest";
import { openWorld, type World } from "./world.ts";

const PATIENCE = { timeout: 10_000, interval: 20 };

describe("a refund from the order screen", () => {
  it("gives back a part, and the same key again gives back nothing more", async () => {
    const { world, order } = await paidWorld();
    const wish = refundWish(order, "1500.00");
    const first = await world.call("refund", wish);
    expect(first).toMatchObject({
      status: 200,
      body: { refund_key: wish.refund_key, state: "completed", amount: { minor: 1_500, currency: "XOF" } },
    });
    expect(await world.call("refund", wish)).toEqual(first);
    expect(await sumAtService(world)).toBe(1_500);
  });

  it("over what is left is refused, and says so to the owner", async () => {
    const { world, order } = await paidWorld();
    expect((await world.call("refund", refundWish(order, "4000"))).status).toBe(200);
    const end = await world.call("refund", refundWish(order, "1001"));
    expect(end).toMatchObject({ status: 409, body: { code: "tillkit_refund_refused" } });
    expect(await sumAtService(world)).toBe(4_000);
  });

  it("of money that went back already is refused with that reason", async () => {
    const { world, order } = await paidWorld();
    expect((await world.call("refund", refundWish(order, "5000"))).status).toBe(200);
    await vi.waitFor(async () => expect(await states(world, order)).toEqual(["refunded"]), PATIENCE);
    const { body } = await world.call("refund", { ...refundWish(order, "100"), language: "fr" });
    expect(body.message).toContain("a déjà été remboursé");
  });

  it("of an amount that is not exact, or in another currency, is refused", async () => {
    const { world, order } = await paidWorld();
    expect((await world.call("refund", refundWish(order, "10.50"))).status).toBe(422);
    expect((await world.call("refund", { ...refundWish(order, "10"), currency: "EUR" })).status).toBe(409);
    expect(await sumAtService(world)).toBe(0);
  });

  it("under the same key with another amount is refused", async () => {
    const { world, order } = await paidWorld();
    const wish = refundWish(order, "1000");
    await world.call("refund", wish);
    expect((await world.call("refund", { ...wish, amount: "2000" })).status).toBe(409);
    expect(await sumAtService(world)).toBe(1_000);
  });

  it("of an order that was not paid here, or of a copied shop's order, finds nothing", async () => {
    const { world, order } = await paidWorld();
    const unpaid = world.fake.shop.placeOrder({ total: "5000" });
    expect((await world.call("refund", refundWish(unpaid, "100"))).status).toBe(404);
    expect((await world.call("refund", { ...refundWish(order, "100"), key: "wc_order_of_the_copy" })).status).toBe(404);
    expect(await sumAtService(world)).toBe(0);
  });

  it("whose answer is lost is given back once, however often the owner clicks", async () => {
    const { world, order } = await paidWorld();
    await world.sandbox.control.addFault({ method: "POST", path: "/refunds", when: "after", status: 503, times: 100 });
    const wish = refundWish(order, "1500");
    // Its webhook may be faster than the answers that get lost.
    const first = await world.call("refund", wish);
    expect(["unknown", "completed"]).toContain(first.body.state);
    await world.sandbox.control.clearFaults();
    for (const _ of [1, 2]) {
      expect(await world.call("refund", wish)).toMatchObject({ status: 200, body: { state: "completed" } });
    }
    expect(await sumAtService(world)).toBe(1_500);
  });

  it("that fails after WooCommerce recorded it is told to the owner, in a note and on the order", async () => {
    const { world, order } = await paidWorld();
    await world.sandbox.control.changeSettings({ refunds: "pending" });
    const { body } = await world.call("refund", refundWish(order, "1500"));
    expect(body.state).toBe("pending");
    world.fake.shop.addRefund(order.id, { amount: "1500.00", reason: "", meta: {} });
    await world.sandbox.control.failRefund(String(body.refund));
    await vi.waitFor(
      () => expect(world.fake.shop.order(order.id)?.meta._tillkit_attention).toBe("refund_failed"),
      PATIENCE,
    );
    expect(world.fake.shop.notes(order.id).join()).toContain("a échoué : l’argent est toujours là");
    expect(world.fake.shop.refunds(order.id)).toHaveLength(1);
  });
});

describe("a refund that was made in the service's dashboard", () => {
  it("is recorded in the shop, once, and does not ask the gateway to send money", async () => {
    const { world, order, payment } = await paidWorld();
    await refundAtService(world, payment.id, 1_500);
    await vi.waitFor(() => expect(world.fake.shop.refunds(order.id)).toHaveLength(1), PATIENCE);
    const [refund] = world.fake.shop.refunds(order.id);
    expect(refund?.amount).toBe("1500.00");
    expect(refund?.meta._tillkit_refund_id).toBeTruthy();
    await world.call("check", { order: String(order.id), key: order.key });
    expect(world.fake.shop.refunds(order.id)).toHaveLength(1);
  });

  it("that the owner had entered by hand is not recorded twice: the owner is told to compare", async () => {
    const { world, order, payment } = await paidWorld();
    world.fake.shop.addRefund(order.id, { amount: "5000.00", reason: "By hand", meta: {} });
    await refundAtService(world, payment.id, 5_000);
    await vi.waitFor(
      () => expect(world.fake.shop.order(order.id)?.meta._tillkit_attention).toBe("refund_not_recorded"),
      PATIENCE,
    );
    expect(world.fake.shop.notes(order.id).join()).toContain("a refusé de l’enregistrer");
    expect(world.fake.shop.refunds(order.id)).toHaveLength(1);
  });
});

describe("two sessions of one order, both paid", () => {
  it("pay it once; the second is noted and, where that is the rule, given back without touching the order", async () => {
    const world = await openWorld({ config: { giveBack: ["duplicate"] } });
    const { order, payment: first } = await world.openOrder();
    world.fake.shop.edit(order.id, { total: "6000" });
    await world.follow(order);
    world.fake.shop.edit(order.id, { total: "5000" });
    const second = await world.payment(order.id);
    expect(second.id).not.toBe(first.id);
    await world.pay(first);
    await vi.waitFor(async () => expect(await states(world, order)).toContain("recorded"), PATIENCE);
    await world.pay(second);
    await vi.waitFor(async () => expect(await states(world, order)).toEqual(["recorded", "refunded"]), PATIENCE);
    await vi.waitFor(() => expect(world.fake.shop.notes(order.id).join()).toContain("d’un autre paiement"), PATIENCE);
    expect(world.fake.shop.refunds(order.id)).toEqual([]);
    expect(world.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      meta: { _tillkit_payment_id: first.id },
    });
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });
});

describe("an order whose first session was paid after its second one, and given back", () => {
  it("is refunded from the order screen by the payment that it shows", async () => {
    const world = await openWorld({ config: { giveBack: ["duplicate"] } });
    const { order, payment: first } = await world.openOrder();
    world.fake.shop.edit(order.id, { total: "6000" });
    await world.follow(order);
    await world.pay(await world.payment(order.id));
    await vi.waitFor(async () => expect(await states(world, order)).toContain("recorded"), PATIENCE);
    await world.pay(first);
    await vi.waitFor(async () => expect(await states(world, order)).toEqual(["refunded", "recorded"]), PATIENCE);
    const wish = refundWish(order, "1500");
    for (const _ of [1, 2]) {
      expect(await world.call("refund", wish)).toMatchObject({ status: 200, body: { state: "completed" } });
    }
    expect(await sumAtService(world)).toBe(6_500);
  });
});

describe("an order that another plugin was paid for as well", () => {
  it("stays paid by that one; ours is noted as a second payment and, where that is the rule, given back", async () => {
    const world = await openWorld({ config: { giveBack: ["duplicate"] } });
    const { order, payment } = await world.openOrder();
    world.fake.shop.edit(order.id, { status: "processing", paymentMethod: "another_plugin" });
    await world.pay(payment);
    await vi.waitFor(async () => expect(await states(world, order)).toEqual(["refunded"]), PATIENCE);
    await vi.waitFor(() => expect(world.fake.shop.notes(order.id).join()).toContain("[tillkit note "), PATIENCE);
    expect(world.fake.shop.order(order.id)).toMatchObject({ status: "processing", paymentMethod: "another_plugin" });
    expect(world.fake.shop.effects).toEqual([]);
    expect(world.fake.shop.refunds(order.id)).toEqual([]);
  });
});

async function paidWorld() {
  const world = await openWorld();
  const { order, payment } = await world.openOrder();
  await world.pay(payment);
  await vi.waitFor(async () => expect(await states(world, order)).toEqual(["recorded"]), PATIENCE);
  return { world, order, payment: await world.payment(order.id) };
}

async function states(world: World, order: ShopOrder): Promise<readonly string[]> {
  return (await world.payments(order.id)).map(({ state }) => state);
}

let keys = 0;

function refundWish(order: ShopOrder, amount: string) {
  keys += 1;
  return { order: String(order.id), key: order.key, refund_key: `refund-key-${keys}`, amount, currency: "XOF" };
}

/** What the service itself says was given back. */
async function sumAtService(world: World): Promise<number> {
  const { engine } = world.companion().checkout;
  const { id } = await engine.tenants.credentialFor("boutique", "test");
  const service = await engine.tenants.service(id);
  let sum = 0;
  const want = { from: Date.now() - 3_600_000, account: null, deadlineMs: 5_000 };
  for await (const { refundedAmount } of service.listTransactions(want)) sum += refundedAmount ?? 0;
  return sum;
}

async function refundAtService(world: World, paymentId: string, minor: number): Promise<void> {
  const { engine } = world.companion().checkout;
  const payment = await world.ledger.find({ id: paymentId });
  const service = await engine.tenants.service(payment?.credentialId ?? "");
  const transactionId = payment && (await service.readSession(payment, 5_000)).transactionId;
  const request = JSON.stringify({
    transaction_id: transactionId,
    amount: money(minor, "XOF").minor,
    reason: "requested_by_customer",
    refund_type: minor === payment?.amountDue.minor ? "full" : "partial",
  });
  await service.refund({ paymentId, request, key: `dashboard-${paymentId}`, account: null, deadlineMs: 5_000 });
}
