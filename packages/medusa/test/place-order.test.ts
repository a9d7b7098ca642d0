import { acceptReview, confirmPayment, findingKey } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPayments } from "../src/admin-api/list-payments.ts";
import { pluginLimits } from "../src/limits.ts";
import { createKeyedMutex } from "../src/runtime/keyed-mutex.ts";
import { type Checkout, type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/**
 * The shopper pays on a hosted page whose session the cart has lost, so the payment is held. `cartTotal` is what the cart costs when
 * the shopper pays; the payment is of 22.8.
 */
async function payAfterCartLostSession(cartTotal = "22.8"): Promise<Checkout & { readonly id: string }> {
  const checkout = await fixture.startCheckout();
  const { id } = await fixture.payment(checkout.session);
  // Medusa deletes the session of a cart when it sets the cart's total.
  await fixture.medusa.changeTotal(checkout.cart, cartTotal);
  await fixture.pay(checkout.session);
  await confirmPayment((await fixture.runtime()).engine, id, { actor: "webhook" });
  return { ...checkout, id };
}

const place = (id: string) => fixture.admin.decide(id, { kind: "place" });

async function paymentsToReview() {
  return (await listPayments(await fixture.runtime(), { filter: "review", after: undefined, language: "en" })).payments;
}

async function paymentOf(id: string) {
  return await (await fixture.runtime()).ledger.find({ id });
}

/** For each payment in Medusa, how often it was captured, and the id of our payment. */
const capturesInMedusa = () => fixture.medusa.tables.payments.map(({ captures, data }) => [captures, data.payment_id]);

describe("an order that the owner places from a held payment", () => {
  it("the order of a cart that still costs what was paid is placed once with this payment", async () => {
    const { id, cart } = await payAfterCartLostSession();
    expect(await paymentsToReview()).toMatchObject([{ id, open_cart: { total: "$22.80", is_sold_out: false } }]);
    await place(id);
    expect(fixture.medusa.tables.orders).toMatchObject([{ cartId: cart.id }]);
    expect(capturesInMedusa()).toEqual([[1, id]]);
    expect(await paymentOf(id)).toMatchObject({ state: "recorded", finding: null });
    expect(await fixture.refundsAtService()).toEqual([]);
    expect(await paymentsToReview()).toEqual([]);
  });

  it("the placed order is refunded on its own page as every other order", async () => {
    const { id } = await payAfterCartLostSession();
    await place(id);
    const [payment] = fixture.medusa.tables.payments;
    if (!payment) throw new Error("Medusa has no payment.");
    await fixture.medusa.refund(payment, "2.8");
    expect(await fixture.completedRefundsAtService()).toEqual([280]);
  });

  it("a second click, or a second person at the same time, places no second order and gets the order of the first", async () => {
    const { id } = await payAfterCartLostSession();
    const { seen } = await fixture.admin.read(id);
    const click = () => fixture.admin.decide(id, { kind: "place" }, { seen });
    await Promise.all([click(), click()]);
    await click();
    expect(fixture.medusa.tables.orders).toHaveLength(1);
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });

  it("a cart with a sold-out item is refused before anything is changed, and the payment stays held", async () => {
    const { id, cart, session } = await payAfterCartLostSession();
    cart.isSoldOut = true;
    expect(await paymentsToReview()).toMatchObject([{ id, open_cart: { is_sold_out: true } }]);
    await expect(place(id)).rejects.toThrow("sold out");
    expect(await paymentOf(id)).toMatchObject({ state: "review", attempt: session.id });
    expect(fixture.medusa.tables.orders).toEqual([]);
    expect(await fixture.refundsAtService()).toEqual([]);
  });

  it("an item that sells out while the order is placed leaves the payment as it was, and nothing is refunded without a decision", async () => {
    const { id, cart, session } = await payAfterCartLostSession();
    const { ledger } = await fixture.runtime();
    const { commit } = ledger;
    let isFirstCommit = true;
    Object.assign(ledger, {
      async commit(change: Parameters<typeof commit>[0]) {
        const answer = await commit.call(ledger, change);
        // Right after the payment was attached to the cart again.
        if (isFirstCommit) cart.isSoldOut = true;
        isFirstCommit = false;
        return answer;
      },
    });
    await expect(place(id)).rejects.toThrow("sold out");
    expect(await paymentOf(id)).toMatchObject({
      state: "review",
      attempt: session.id,
      finding: { code: "order_gone" },
    });
    await confirmPayment((await fixture.runtime()).engine, id, { actor: "operator" });
    expect(await paymentOf(id)).toMatchObject({ state: "review", finding: { code: "order_gone" } });
    expect([fixture.medusa.tables.orders, capturesInMedusa(), await fixture.refundsAtService()]).toEqual([[], [], []]);
    cart.isSoldOut = false;
    await place(id);
    expect(fixture.medusa.tables.orders).toHaveLength(1);
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });

  it("a cart that costs something else now is held for that difference until the owner accepts it", async () => {
    const { id } = await payAfterCartLostSession("45.6");
    expect(await paymentsToReview()).toMatchObject([{ open_cart: { total: "$45.60" } }]);
    await place(id);
    expect(fixture.medusa.tables.orders).toEqual([]);
    expect(await paymentsToReview()).toMatchObject([
      { id, can_accept: true, finding: expect.stringContaining("$45.60") },
    ]);
    const { engine } = await fixture.runtime();
    const finding = (await engine.ledger.find({ id }))?.finding;
    await acceptReview(engine, { paymentId: id, by: "user_01", findingKey: finding ? findingKey(finding) : "" });
    expect(fixture.medusa.tables.orders).toHaveLength(1);
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });

  it("no order is placed from a held payment after another payment method has paid the cart", async () => {
    const { id, cart } = await payAfterCartLostSession();
    await expect(fixture.medusa.initiate(cart)).rejects.toThrow("do not pay again");
    const cardSession = await fixture.medusa.initiate(cart, {}, "pp_card_card");
    fixture.medusa.tables.payments.push({
      id: "pay_card",
      sessionId: cardSession.id,
      providerId: "pp_card_card",
      collectionId: cardSession.collectionId,
      amount: cardSession.amount,
      data: {},
      captures: 1,
      canceledAt: null,
      refunds: [],
    });
    expect(await paymentsToReview()).toMatchObject([{ id, open_cart: null }]);
    await expect(place(id)).rejects.toThrow("gone, changed or ordered: refund the payment");
    expect(fixture.medusa.tables.orders).toEqual([]);
  });

  it("an order is placed although a job changes its payment during the click", async () => {
    const { id } = await payAfterCartLostSession();
    const { ledger } = await fixture.runtime();
    const { commit } = ledger;
    let isFirstCommit = true;
    Object.assign(ledger, {
      async commit(change: Parameters<typeof commit>[0]) {
        const payment = isFirstCommit ? await paymentOf(id) : null;
        isFirstCommit = false;
        if (payment) {
          // The job's commit comes first, so the version that the click expects is stale.
          const next = { ...payment, version: payment.version + 1 };
          await commit.call(ledger, { payment: { next, expect: payment.version }, timeline: [] });
        }
        return await commit.call(ledger, change);
      },
    });
    await place(id);
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });

  it("an order that Medusa has placed is not called undone because another process is changing its payment", async () => {
    const { id } = await payAfterCartLostSession();
    const { ledger } = await fixture.runtime();
    const { commit } = ledger;
    const hasCaptured = () => fixture.medusa.tables.payments.some(({ captures }) => captures > 0);
    Object.assign(ledger, {
      commit: async (change: Parameters<typeof commit>[0]) =>
        hasCaptured() ? "stale" : await commit.call(ledger, change),
    });
    await place(id);
    Object.assign(ledger, { commit });
    await fixture.advanceClock(pluginLimits.placeAgainMs);
    await fixture.runJobsUntil(async () => (await paymentOf(id))?.state === "recorded");
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });

  it("an order that Medusa has placed although its answer was lost is not called unplaced", async () => {
    const { id, cart } = await payAfterCartLostSession();
    changeFirstRun("complete-cart", async (run) => {
      await run();
      throw new Error("socket hang up");
    });
    await place(id);
    expect(fixture.medusa.tables.orders).toMatchObject([{ cartId: cart.id }]);
    expect(await paymentOf(id)).toMatchObject({ state: "recorded", finding: null });
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });

  it("the timeline names the person who attached the payment to its cart again", async () => {
    const { id } = await payAfterCartLostSession();
    await place(id);
    const runtime = await fixture.runtime();
    const { payments } = await listPayments(runtime, { filter: "all", after: undefined, language: "en" });
    const texts = payments[0]?.timeline.map(({ text }) => text);
    expect(texts).toContain("The payment was attached to the order again (user_01).");
  });

  it("a payment that is held for its own amount is not attached to a cart", async () => {
    const { session } = await fixture.startCheckout();
    const { id } = await fixture.payment(session);
    await fixture.pay(session);
    const fault = { method: "GET", path: "/checkout-sessions/{id}", when: "after", patch: { amount: 1_140 }, times: 9 };
    await fixture.sandbox.control.addFault(fault as Parameters<typeof fixture.sandbox.control.addFault>[0]);
    await confirmPayment((await fixture.runtime()).engine, id, { actor: "webhook" });
    expect(await paymentsToReview()).toMatchObject([{ id, open_cart: null }]);
    await expect(place(id)).rejects.toThrow("has changed since");
  });

  it("a job places the order when the process dies after the payment was attached to its cart", async () => {
    const { id, session, cart } = await payAfterCartLostSession();
    changeFirstRun("complete-cart", () => new Promise(() => undefined));
    // This call never ends.
    void place(id);
    await expect.poll(async () => (await paymentOf(id))?.attempt).not.toBe(session.id);
    expect(fixture.medusa.tables.orders).toEqual([]);
    await fixture.advanceClock(pluginLimits.placeAgainMs);
    await fixture.runJobsUntil(() => fixture.medusa.tables.orders.length > 0);
    expect(fixture.medusa.tables.orders).toMatchObject([{ cartId: cart.id }]);
    await expect.poll(async () => (await paymentOf(id))?.state).toBe("recorded");
    expect(capturesInMedusa()).toEqual([[1, id]]);
    expect(await fixture.refundsAtService()).toEqual([]);
  });

  it("the button is offered again when the process dies before the payment was attached to its cart", async () => {
    const { id, session } = await payAfterCartLostSession();
    const runtime = await fixture.runtime();
    const { commit } = runtime.ledger;
    const neverEnds = () => new Promise(() => undefined);
    Object.assign(runtime.ledger, { commit: neverEnds });
    void place(id);
    await expect.poll(() => fixture.medusa.tables.sessions.length).toBe(1);
    Object.assign(runtime.ledger, { commit });
    await fixture.advanceClock(pluginLimits.placeAgainMs);
    expect(await paymentsToReview()).toMatchObject([{ id, open_cart: { total: "$22.80" } }]);
    expect(await paymentOf(id)).toMatchObject({ state: "review", attempt: session.id });
    // The dead process held the mutex; a new process has its own.
    Object.assign(runtime, { refundMutex: createKeyedMutex() });
    await place(id);
    expect(fixture.medusa.tables.orders).toHaveLength(1);
    expect(capturesInMedusa()).toEqual([[1, id]]);
  });
});

/** Replaces the first run of this workflow, such as by one that never ends, as when its process dies. */
function changeFirstRun(name: string, first: (run: () => Promise<unknown> | undefined) => Promise<unknown>): void {
  const { container } = fixture.medusa;
  const { resolve } = container;
  let isFirstRun = true;
  Object.assign(container, {
    resolve(serviceName: string) {
      const service = resolve(serviceName) as { run?: (workflow: string, input: unknown) => Promise<unknown> };
      if (serviceName !== "workflows") return service;
      return {
        ...service,
        run(workflow: string, input: unknown) {
          const run = () => service.run?.(workflow, input);
          if (workflow !== name || !isFirstRun) return run();
          isFirstRun = false;
          return first(run);
        },
      };
    },
  });
}
