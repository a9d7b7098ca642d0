import { confirmPayment } from "@tillkit/core";
import { afterEach, describe, expect, it } from "vitest";
import { listPayments } from "../src/attention/list-payments.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

async function payOldPage(): Promise<{ id: string; read: () => ReturnType<World["payment"]> }> {
  const { cart, session } = await world.beginCheckout();
  const { id } = await world.payment(session);
  await world.medusa.changeTotal(cart, "45.6");
  await world.pay(session);
  const { engine } = await world.till();
  await confirmPayment(engine, id, { actor: "webhook" });
  return { id, read: () => world.payment(session) };
}

describe("a cart that was changed after the redirect, and its old page paid", () => {
  it("is shown to the owner, and its money waits for a word", async () => {
    world = await openWorld({ onOrphan: "alert" });
    const { read } = await payOldPage();
    await world.workUntil(() => world.medusa.shop.notices.length > 0);
    expect(await read()).toMatchObject({ state: "review", finding: { code: "order_gone" } });
    expect(await world.refundsAtService()).toEqual([]);
    expect(world.medusa.shop.orders).toEqual([]);
  });

  it("gives the money back by itself where the shop made that the rule", async () => {
    world = await openWorld({ onOrphan: "refund" });
    const { read } = await payOldPage();
    await world.workUntil(async () => (await read()).state === "refunded");
    expect(await world.refundsAtService()).toEqual([2_280]);
    expect(world.medusa.shop.orders).toEqual([]);
    await world.workUntil(() => world.medusa.shop.notices.some(({ title }) => title === "Payments"));
    expect(world.medusa.shop.notices.at(-1)?.description).toMatch(
      /22\.80 that arrived without an order were given back/,
    );
  });

  it("stands on the page alone where the owner wants no bell", async () => {
    world = await openWorld({ onMismatch: "list" });
    const { id, read } = await payOldPage();
    const till = await world.till();
    await world.workUntil(async () => (await till.ledger.countJobs(till.engine.clock.now())).due === 0);
    expect((await read()).state).toBe("review");
    expect(world.medusa.shop.notices).toEqual([]);
    const { payments } = await listPayments(till, { show: "attention", after: undefined, language: "en" });
    expect(payments.map((payment) => payment.id)).toEqual([id]);
  });

  it("cannot be paid a second time before the owner looked", async () => {
    world = await openWorld();
    await payOldPage();
    const [cart] = world.medusa.shop.carts;
    if (!cart) throw new Error("no cart");
    await expect(world.medusa.initiate(cart)).rejects.toThrow("do not pay again");
  });
});

describe("the last piece, sold while its payment was under way", () => {
  it("goes back once, by Medusa's own hand", async () => {
    world = await openWorld({ onOrphan: "refund" });
    const { cart, session } = await world.beginCheckout();
    const { id } = await world.payment(session);
    cart.isSoldOut = true;
    await world.pay(session);
    const { engine, ledger } = await world.till();
    await confirmPayment(engine, id, { actor: "webhook" });
    expect(await world.refundsAtService()).toEqual([2_280]);
    expect((await ledger.find({ id }))?.state).toBe("refunded");
    expect(world.medusa.shop.orders).toEqual([]);
  });
});

describe("two tabs", () => {
  it("an order that another gateway paid keeps its payment, and ours is a duplicate", async () => {
    world = await openWorld({ onOrphan: "refund" });
    const { cart, session } = await world.beginCheckout();
    const { id } = await world.payment(session);
    await world.pay(session);
    const { shop } = world.medusa;
    const { collectionId, amount } = session;
    const row = { collectionId, amount, data: {}, captures: 1, canceledAt: null, refunds: [] };
    shop.payments.push({ id: "pay_card", sessionId: "payses_card", providerId: "pp_card_card", ...row });
    shop.orders.push({ id: "order_card", cartId: cart.id, displayId: 1, status: "pending" });
    const { engine, ledger } = await world.till();
    await confirmPayment(engine, id, { actor: "webhook" });
    await world.workUntil(async () => (await ledger.find({ id }))?.state === "refunded");
    expect(await world.refundsAtService()).toEqual([2_280]);
  });
});
