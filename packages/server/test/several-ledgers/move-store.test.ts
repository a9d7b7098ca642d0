import { refundPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { openTwoLedgers, type TwoLedgers, until } from "../fixtures/two-ledgers.ts";

/** The outcomes of the webhooks in a ledger. */
async function outcomesIn({ ledgers }: TwoLedgers, name: "old" | "new"): Promise<readonly string[]> {
  const { rows } = await ledgers[name].listDeliveries({ limit: 50 });
  return rows.map(({ outcome }) => outcome ?? "waiting");
}

async function expectPaidOnce(fixture: TwoLedgers, order: Parameters<TwoLedgers["payments"]>[0]): Promise<void> {
  await until("the order is shipped", () => fixture.shipments(order) > 0);
  const { old, new: added } = await fixture.payments(order);
  await until("the payment is recorded", async () => {
    const all = await fixture.payments(order);
    return [...all.old, ...all.new].some(({ state }) => state === "recorded");
  });
  expect(fixture.shipments(order)).toBe(1);
  expect(old.length === 0 || added.length === 0).toBe(true);
}

describe("a store that moves to another ledger", () => {
  it("each order of a store that moves in the middle of its traffic is paid once, in one ledger", async () => {
    const fixture = await openTwoLedgers();
    const orders = await Promise.all(Array.from({ length: 10 }, () => fixture.placeOrder()));
    const starts = orders.map(async (order, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 4));
      expect(await fixture.server.startCheckout(order)).toMatchObject({ status: "redirect" });
    });
    await starts[5];
    await fixture.server.moveStore("mover", "new");
    const last = await fixture.placeOrder();
    await fixture.server.startCheckout(last);
    await Promise.all(starts);
    orders.push(last);
    for (const order of orders) {
      const { old, new: added } = await fixture.payments(order);
      await fixture.pay([...old, ...added][0]);
    }
    for (const order of orders) await expectPaidOnce(fixture, order);
    const inNew = await Promise.all(orders.map(async (order) => (await fixture.payments(order)).new.length));
    expect([inNew[0], inNew.at(-1)]).toEqual([0, 1]);
  });

  it("an order whose payment is open in the old ledger keeps its session there after the move", async () => {
    const fixture = await openTwoLedgers();
    const order = await fixture.placeOrder();
    const before = await fixture.server.startCheckout(order);
    await fixture.server.moveStore("mover", "new");
    expect(await fixture.server.startCheckout(order)).toEqual(before);
    const edited = await fixture.stores.mover.editTotal(order.ref.orderId, { minor: 6_000, currency: "XOF" });
    expect(await fixture.server.startCheckout(await fixture.orderNow(edited))).toMatchObject({ status: "redirect" });
    const { old, new: added } = await fixture.payments(order);
    expect(old.map(({ state }) => state)).toEqual(["superseded", "open"]);
    expect(added).toEqual([]);
  });

  it("a shopper who left before the move and pays after it pays the order once, and the new ledger finds the webhook unrelated", async () => {
    const fixture = await openTwoLedgers();
    const order = await fixture.placeOrder();
    await fixture.server.startCheckout(order);
    const [payment] = (await fixture.payments(order)).old;
    const cancelPath = JSON.parse(payment?.request ?? "{}").cancel_url as string;
    expect((await fetch(cancelPath, { redirect: "manual" })).status).toBe(303);
    await fixture.server.moveStore("mover", "new");
    const later = await fixture.placeOrder();
    await fixture.server.startCheckout(later);
    await fixture.pay(payment);
    await expectPaidOnce(fixture, order);
    for (const name of ["old", "new"] as const) {
      await until("the webhooks are processed", async () => {
        const all = await outcomesIn(fixture, name);
        return all.length > 0 && !all.includes("waiting");
      });
    }
    expect(await outcomesIn(fixture, "old")).toContain("processed");
    expect(new Set(await outcomesIn(fixture, "new"))).toEqual(new Set(["unrelated"]));
    expect(await fixture.ledgers.new.find({ id: payment?.id ?? "" })).toBeNull();
    await fixture.pay((await fixture.payments(later)).new[0]);
    await expectPaidOnce(fixture, later);
    await until("the new ledger processed its own", async () =>
      (await outcomesIn(fixture, "new")).includes("processed"),
    );
    expect((await fixture.ledgers.old.listPayments({ limit: 10 })).rows.map(({ id }) => id)).toEqual([payment?.id]);
    expect(await fixture.ledgers.old.countDeliveries()).toMatchObject({ orphan: 0 });
  });

  it("the links of both ledgers work at one address, before and after the move", async () => {
    const fixture = await openTwoLedgers();
    const [first, second] = [await fixture.placeOrder(), await fixture.placeOrder()];
    await fixture.server.startCheckout(first);
    await fixture.server.moveStore("mover", "new");
    await fixture.server.startCheckout(second);
    const returnUrl = async (order: typeof first) => {
      const { old, new: added } = await fixture.payments(order);
      await fixture.pay([...old, ...added][0]);
      return String(JSON.parse([...old, ...added][0]?.request ?? "{}").success_url);
    };
    const [fromOld, fromNew] = [await returnUrl(first), await returnUrl(second)];
    expect(fromOld.startsWith(`${fixture.url}/return/`)).toBe(true);
    expect(fromNew.startsWith(`${fixture.url}/ledgers/new/return/`)).toBe(true);
    for (const url of [fromOld, fromNew]) {
      // While the webhook's job writes to the shop, the page asks the shopper to wait.
      await until("the shopper is back in the shop", async () => {
        const { headers } = await fetch(url, { redirect: "manual" });
        return headers.get("location")?.startsWith("https://read-then-write.example/") ?? false;
      });
    }
    // The server of one ledger rejects the links of the other ledger.
    expect((await fetch(fromNew.replace("/ledgers/new", ""), { redirect: "manual" })).status).toBe(403);
  });

  it("a pay link that the platform stored before the move leads to a checkout in the new ledger", async () => {
    const fixture = await openTwoLedgers();
    const [started, stored] = [await fixture.placeOrder(), await fixture.placeOrder()];
    const links = [started, stored].map((order) => fixture.server.payLink(order));
    await fetch(links[0] ?? "", { redirect: "manual" });
    await fixture.server.moveStore("mover", "new");
    const pages = [];
    for (const link of links) pages.push(await fetch(link, { redirect: "manual" }));
    expect(pages.map(({ status }) => status)).toEqual([303, 303]);
    expect(pages[0]?.headers.get("location")).toContain(fixture.sandbox.baseUrl.replace(/\/api.*/, ""));
    const next = pages[1]?.headers.get("location") ?? "";
    expect(next.startsWith(`${fixture.url}/ledgers/new/pay/`)).toBe(true);
    const session = (await fetch(next, { redirect: "manual" })).headers.get("location");
    expect((await fixture.payments(stored)).new[0]?.session?.url).toBe(session);
    expect((await fixture.payments(stored)).old).toEqual([]);
    expect((await fixture.payments(started)).old).toHaveLength(1);
  });

  it("an order from before the move is refunded once, by the server that has its payment", async () => {
    const fixture = await openTwoLedgers();
    const order = await fixture.placeOrder();
    await fixture.server.startCheckout(order);
    const [payment] = (await fixture.payments(order)).old;
    await fixture.pay(payment);
    await expectPaidOnce(fixture, order);
    await fixture.server.moveStore("mover", "new");
    const server = await fixture.server.serverOfPayment(payment?.id ?? "");
    expect(server).toBe(fixture.server.server("old"));
    expect(await fixture.server.serverOfOrder(order.ref)).toBe(server);
    const request = { paymentId: payment?.id ?? "", key: "refund-1", amount: order.total, origin: "tillkit" } as const;
    for (const _ of [1, 2]) {
      const refund = await refundPayment((server ?? fixture.server.server("new")).engine, request);
      expect(refund.state).toBe("completed");
    }
    expect(await fixture.ledgers.old.refunds(payment?.id ?? "")).toHaveLength(1);
    expect(await fixture.ledgers.new.listRefunds({ limit: 5 })).toMatchObject({ rows: [] });
  });

  it("each ledger of a store is listed with the payments that it still has to finish", async () => {
    const fixture = await openTwoLedgers();
    const [open, paid] = [await fixture.placeOrder(), await fixture.placeOrder()];
    for (const order of [open, paid]) await fixture.server.startCheckout(order);
    await fixture.pay((await fixture.payments(paid)).old[0]);
    await expectPaidOnce(fixture, paid);
    expect(await fixture.server.storeLedgers("mover")).toEqual([{ name: "old", leftAt: null, unfinishedPayments: 1 }]);
    await fixture.server.moveStore("mover", "new");
    await fixture.server.moveStore("mover", "new");
    await fixture.server.startCheckout(await fixture.placeOrder());
    expect(await fixture.server.storeLedgers("mover")).toEqual([
      { name: "old", leftAt: expect.any(Number), unfinishedPayments: 1 },
      { name: "new", leftAt: null, unfinishedPayments: 1 },
    ]);
    expect(await fixture.server.storeLedgers("stayer")).toEqual([{ name: "old", leftAt: null, unfinishedPayments: 0 }]);
  });
});
