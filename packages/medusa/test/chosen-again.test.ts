import { confirmPayment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Checkout, type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/**
 * The shopper opens the hosted page, goes back, chooses the payment method again, which replaces the payment session in Medusa, and then pays
 * on the first page. `meanwhile`: what happens to the cart before the second choice.
 */
async function payFirstPage(
  meanwhile: (checkout: Checkout) => unknown = () => undefined,
  providerId?: string,
): Promise<Checkout & { readonly id: string }> {
  const checkout = await fixture.startCheckout();
  const { id } = await fixture.payment(checkout.session);
  await meanwhile(checkout);
  await fixture.medusa.initiate(checkout.cart, {}, providerId);
  await fixture.pay(checkout.session);
  await confirmPayment((await fixture.runtime()).engine, id, { actor: "webhook" });
  return { ...checkout, id };
}

async function stateOf(id: string) {
  return (await (await fixture.runtime()).ledger.find({ id }))?.state;
}

const orders = () => fixture.medusa.tables.orders.map(({ cartId }) => cartId);
const captures = () => fixture.medusa.tables.payments.map(({ captures, data }) => [captures, data.payment_id]);

describe("a first page that is paid after the payment method was chosen again", () => {
  it("pays its order by itself, once, where the cart is as it was", async () => {
    const { id, cart } = await payFirstPage();
    expect(await stateOf(id)).toBe("recorded");
    expect([orders(), captures()]).toEqual([[cart.id], [[1, id]]]);
    expect(await fixture.refundsAtService()).toEqual([]);
    await confirmPayment((await fixture.runtime()).engine, id, { actor: "timer" });
    expect(captures()).toEqual([[1, id]]);
  });

  it("pays its order although the process died after the payment was attached", async () => {
    const workflows = fixture.medusa.container.resolve("workflows") as { run(id: string, options: unknown): unknown };
    const { run } = workflows;
    let deaths = 0;
    Object.assign(workflows, {
      run(name: string, options: unknown) {
        if (name !== "process-payment-workflow" || deaths > 0) return run(name, options);
        deaths += 1;
        throw new Error("killed");
      },
    });
    const { id, cart } = await payFirstPage();
    expect([deaths, orders()]).toEqual([1, []]);
    await fixture.advanceClock(120_000);
    await fixture.runJobsUntil(async () => (await stateOf(id)) === "recorded");
    expect([orders(), captures()]).toEqual([[cart.id], [[1, id]]]);
  });

  it("is held where the cart has other items for the same amount", async () => {
    const { id } = await payFirstPage(({ cart }) => Object.assign(cart, { title: "One chair" }));
    expect([await stateOf(id), orders(), captures()]).toEqual(["review", [], []]);
  });

  it("is held where the cart costs something else", async () => {
    const { id } = await payFirstPage(({ cart }) => fixture.medusa.changeTotal(cart, "45.6"));
    expect([await stateOf(id), orders(), captures()]).toEqual(["review", [], []]);
  });

  it("is held where an item has sold out, and no money goes back without a decision", async () => {
    const { id } = await payFirstPage(({ cart }) => Object.assign(cart, { isSoldOut: true }));
    expect([await stateOf(id), orders(), captures()]).toEqual(["review", [], []]);
    expect(await fixture.refundsAtService()).toEqual([]);
  });

  it("is held where the shopper has chosen another payment method since", async () => {
    const { id } = await payFirstPage(() => undefined, "pp_system_default");
    expect([await stateOf(id), orders(), captures()]).toEqual(["review", [], []]);
  });

  it("makes the second page a duplicate when both are paid", async () => {
    const { id, cart } = await payFirstPage();
    const { engine, ledger } = await fixture.runtime();
    const second = (await ledger.paymentsOfOrder({ storeId: "medusa", orderId: cart.collectionId })).find(
      (payment) => payment.id !== id,
    );
    if (!second?.session) throw new Error("There is no second page.");
    await fixture.sandbox.control.paySession(second.session.id, { method: "card", outcome: "completed" });
    await confirmPayment(engine, second.id, { actor: "webhook" });
    expect([await stateOf(second.id), captures()]).toEqual(["duplicate", [[1, id]]]);
  });
});
