import { refundPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { openTwoLedgers, type TwoLedgers, until } from "../fixtures/two-ledgers.ts";

/** What became of the webhooks in a ledger that were processed. */
async function outcomes({ ledgers }: TwoLedgers, name: "old" | "new"): Promise<readonly string[]> {
  const { rows } = await ledgers[name].listDeliveries({ limit: 50 });
  return rows.map(({ outcome }) => outcome ?? "waiting");
}

async function paidOnce(world: TwoLedgers, order: Parameters<TwoLedgers["payments"]>[0]): Promise<void> {
  await until("the order is shipped", () => world.shipments(order) > 0);
  const { old, new: added } = await world.payments(order);
  await until("the payment is recorded", async () => {
    const all = await world.payments(order);
    return [...all.old, ...all.new].some(({ state }) => state === "recorded");
  });
  expect(world.shipments(order)).toBe(1);
  expect(old.length === 0 || added.length === 0).toBe(true);
}

describe("a store that moves to another ledger", () => {
  it("its orders are each paid once, in one ledger, when the store moves in the middle of its traffic", async () => {
    const world = await openTwoLedgers();
    const orders = await Promise.all(Array.from({ length: 10 }, () => world.placeOrder()));
    const starts = orders.map(async (order, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 4));
      expect(await world.server.startCheckout(order)).toMatchObject({ status: "redirect" });
    });
    await starts[5];
    await world.server.moveStore("mover", "new");
    const last = await world.placeOrder();
    await world.server.startCheckout(last);
    await Promise.all(starts);
    orders.push(last);
    for (const order of orders) {
      const { old, new: added } = await world.payments(order);
      await world.pay([...old, ...added][0]);
    }
    for (const order of orders) await paidOnce(world, order);
    const inNew = await Promise.all(orders.map(async (order) => (await world.payments(order)).new.length));
    expect([inNew[0], inNew.at(-1)]).toEqual([0, 1]);
  });

  it("an order whose payment is open in the old ledger keeps its session there after the move", async () => {
    const world = await openTwoLedgers();
    const order = await world.placeOrder();
    const before = await world.server.startCheckout(order);
    await world.server.moveStore("mover", "new");
    expect(await world.server.startCheckout(order)).toEqual(before);
    const edited = await world.stores.mover.editTotal(order.ref.orderId, { minor: 6_000, currency: "XOF" });
    expect(await world.server.startCheckout(await world.orderNow(edited))).toMatchObject({ status: "redirect" });
    const { old, new: added } = await world.payments(order);
    expect(old.map(({ state }) => state)).toEqual(["superseded", "open"]);
    expect(added).toEqual([]);
  });

  it("a shopper who left before the move and pays after it pays the order once, and the new ledger finds the webhook unrelated", async () => {
    const world = await openTwoLedgers();
    const order = await world.placeOrder();
    await world.server.startCheckout(order);
    const [payment] = (await world.payments(order)).old;
    const cancelPath = JSON.parse(payment?.request ?? "{}").cancel_url as string;
    expect((await fetch(cancelPath, { redirect: "manual" })).status).toBe(303);
    await world.server.moveStore("mover", "new");
    const later = await world.placeOrder();
    await world.server.startCheckout(later);
    await world.pay(payment);
    await paidOnce(world, order);
    for (const name of ["old", "new"] as const) {
      await until("the webhooks are processed", async () => {
        const all = await outcomes(world, name);
        return all.length > 0 && !all.includes("waiting");
      });
    }
    expect(await outcomes(world, "old")).toContain("processed");
    expect(new Set(await outcomes(world, "new"))).toEqual(new Set(["unrelated"]));
    expect(await world.ledgers.new.find({ id: payment?.id ?? "" })).toBeNull();
    await world.pay((await world.payments(later)).new[0]);
    await paidOnce(world, later);
    await until("the new ledger processed its own", async () => (await outcomes(world, "new")).includes("processed"));
    expect((await world.ledgers.old.listPayments({ limit: 10 })).rows.map(({ id }) => id)).toEqual([payment?.id]);
    expect(await world.ledgers.old.countDeliveries()).toMatchObject({ orphan: 0 });
  });

  it("the links of both ledgers work at one address, before and after the move", async () => {
    const world = await openTwoLedgers();
    const [first, second] = [await world.placeOrder(), await world.placeOrder()];
    await world.server.startCheckout(first);
    await world.server.moveStore("mover", "new");
    await world.server.startCheckout(second);
    const returnUrl = async (order: typeof first) => {
      const { old, new: added } = await world.payments(order);
      await world.pay([...old, ...added][0]);
      return String(JSON.parse([...old, ...added][0]?.request ?? "{}").success_url);
    };
    const [fromOld, fromNew] = [await returnUrl(first), await returnUrl(second)];
    expect(fromOld.startsWith(`${world.url}/return/`)).toBe(true);
    expect(fromNew.startsWith(`${world.url}/ledgers/new/return/`)).toBe(true);
    for (const url of [fromOld, fromNew]) {
      // While the webhook's job writes to the shop, the page asks the shopper to wait.
      await until("the shopper is back in the shop", async () => {
        const { headers } = await fetch(url, { redirect: "manual" });
        return headers.get("location")?.startsWith("https://read-then-write.example/") ?? false;
      });
    }
    // A link that one ledger signed means nothing to another one.
    expect((await fetch(fromNew.replace("/ledgers/new", ""), { redirect: "manual" })).status).toBe(403);
  });

  it("a pay link that the platform stored before the move leads to a checkout in the new ledger", async () => {
    const world = await openTwoLedgers();
    const [started, stored] = [await world.placeOrder(), await world.placeOrder()];
    const links = [started, stored].map((order) => world.server.payLink(order));
    await fetch(links[0] ?? "", { redirect: "manual" });
    await world.server.moveStore("mover", "new");
    const pages = [];
    for (const link of links) pages.push(await fetch(link, { redirect: "manual" }));
    expect(pages.map(({ status }) => status)).toEqual([303, 303]);
    expect(pages[0]?.headers.get("location")).toContain(world.sandbox.baseUrl.replace(/\/api.*/, ""));
    const next = pages[1]?.headers.get("location") ?? "";
    expect(next.startsWith(`${world.url}/ledgers/new/pay/`)).toBe(true);
    const session = (await fetch(next, { redirect: "manual" })).headers.get("location");
    expect((await world.payments(stored)).new[0]?.session?.url).toBe(session);
    expect((await world.payments(stored)).old).toEqual([]);
    expect((await world.payments(started)).old).toHaveLength(1);
  });

  it("an order from before the move is refunded once, by the server that has its payment", async () => {
    const world = await openTwoLedgers();
    const order = await world.placeOrder();
    await world.server.startCheckout(order);
    const [payment] = (await world.payments(order)).old;
    await world.pay(payment);
    await paidOnce(world, order);
    await world.server.moveStore("mover", "new");
    const server = await world.server.serverOfPayment(payment?.id ?? "");
    expect(server).toBe(world.server.server("old"));
    expect(await world.server.serverOfOrder(order.ref)).toBe(server);
    const request = { paymentId: payment?.id ?? "", key: "refund-1", amount: order.total, origin: "tillkit" } as const;
    for (const _ of [1, 2]) {
      const refund = await refundPayment((server ?? world.server.server("new")).engine, request);
      expect(refund.state).toBe("completed");
    }
    expect(await world.ledgers.old.refunds(payment?.id ?? "")).toHaveLength(1);
    expect(await world.ledgers.new.listRefunds({ limit: 5 })).toMatchObject({ rows: [] });
  });

  it("each ledger of a store is listed with the payments that it still has to finish", async () => {
    const world = await openTwoLedgers();
    const [open, paid] = [await world.placeOrder(), await world.placeOrder()];
    for (const order of [open, paid]) await world.server.startCheckout(order);
    await world.pay((await world.payments(paid)).old[0]);
    await paidOnce(world, paid);
    expect(await world.server.storeLedgers("mover")).toEqual([{ name: "old", leftAt: null, unfinishedPayments: 1 }]);
    await world.server.moveStore("mover", "new");
    await world.server.moveStore("mover", "new");
    await world.server.startCheckout(await world.placeOrder());
    expect(await world.server.storeLedgers("mover")).toEqual([
      { name: "old", leftAt: expect.any(Number), unfinishedPayments: 1 },
      { name: "new", leftAt: null, unfinishedPayments: 1 },
    ]);
    expect(await world.server.storeLedgers("stayer")).toEqual([{ name: "old", leftAt: null, unfinishedPayments: 0 }]);
  });
});
