import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareStore } from "./prepare-store.ts";
import { openScenarioFixture, type ScenarioFixture } from "./scenario-fixture.ts";
import { placedOrders } from "./scenarios/placed-orders.ts";

/**
 * The oldest Medusa that the plugin's peer dependencies name. Medusa 2.13 uses zod 3, does not name it as a dependency, and does
 * not start beside a plugin that has zod 4.
 */
const OLDEST = "2.14.1";
const INSTALL_MS = 900_000;

describe(`a real Medusa ${OLDEST} with the packed plugin`, () => {
  let fixture: ScenarioFixture;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const prepared = await prepareStore(OLDEST);
    stop = prepared.stop;
    fixture = await openScenarioFixture(prepared.store);
  }, INSTALL_MS);
  afterAll(async () => {
    await fixture?.close();
    await stop?.();
  });

  it("the plugin promises no older Medusa than the one that is running here", async () => {
    const { peerDependencies } = JSON.parse(await readFile("packages/medusa/package.json", "utf8"));
    expect(peerDependencies).toMatchObject({
      "@medusajs/framework": `^${OLDEST}`,
      "@medusajs/js-sdk": `^${OLDEST}`,
    });
  });

  it("the webhook of a paid cart makes one order with one capture, and the owner refunds a part of it once", async () => {
    const { shopper, sandbox, probe, owner } = fixture;
    const started = await shopper.startPayment("usd", "wax-cloth");
    await sandbox.control.paySession(started.checkoutId, { method: "card", outcome: "completed" });
    const { orderId } = await probe.orderOf(started.cartId);
    expect(await owner.order(orderId)).toMatchObject({ total: 22.8, payment_status: "captured" });
    expect(await probe.captures(started.collectionId)).toEqual([22.8]);

    const [payment] = await owner.payments(orderId);
    expect((await owner.refund(payment?.id ?? "", 2.8)).status).toBe(200);
    expect((await probe.refunds(started.checkoutId)).map(({ amount }) => amount)).toEqual([280]);
    expect((await owner.payments(orderId))[0]?.refunds?.map(({ amount }) => amount)).toEqual([2.8]);
  });

  it("the returning shopper gets the order without a webhook, and the same order when the page is reloaded", async () => {
    const { shopper, probe } = fixture;
    const { cartId } = await fixture.payWithoutWebhook("xof");
    const first = await shopper.completeCart(cartId);
    expect(first.body.type).toBe("order");
    expect((await shopper.completeCart(cartId)).body.order?.id).toBe(first.body.order?.id);
    expect(await probe.orders(cartId)).toHaveLength(1);
  });

  it("a cart that changed after the redirect and is paid on its old page waits for the owner, who refunds it", async () => {
    const { shopper, sandbox, owner, probe } = fixture;
    const old = await shopper.startPayment("xof", "shea-butter");
    const { body } = await shopper.call<{ cart: Parameters<typeof shopper.changeQuantity>[0] }>(
      "GET",
      `/store/carts/${old.cartId}`,
    );
    await shopper.changeQuantity(body.cart, 3);
    await sandbox.control.paySession(old.checkoutId, { method: "card", outcome: "completed" });
    const shown = await fixture.waitForReview(old);
    expect(shown.finding).toContain("changed or abandoned");
    expect((await owner.decide(shown, { kind: "refund" })).status).toBe(200);
    expect((await probe.refunds(old.checkoutId)).map(({ status }) => status)).toEqual(["completed"]);
    expect(await probe.orders(old.cartId)).toEqual([]);
  });

  placedOrders(() => fixture);
});
