import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenShop, openShop } from "./open-shop.ts";

let shop: OpenShop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

describe("a WooCommerce shop with a plug-in that is none of ours", () => {
  it("nothing is found when every payment is on its order", async () => {
    for (const total of [5_000, 7_500, 12_000]) await shop.buy(total);
    const { findings, addsUp, sides } = await shop.audit();
    expect(findings).toEqual([]);
    expect(addsUp).toBe(true);
    expect([sides.orders.count, sides.payments.count]).toEqual([3, 3]);
  });

  it("each fault of a month is found with its order, its amount and its certainty", async () => {
    for (const total of [5_000, 7_500, 12_000, 4_100]) await shop.buy(total);
    const unheard = await shop.buy(8_200, { hears: false });
    const nameless = await shop.buy(9_900, { hears: false, names: false });
    const refunded = await shop.buy(6_000);
    await shop.service.refunds.create({ transaction_id: refunded.transaction, amount: 2_500, reason: "broken" });
    const booked = await shop.buy(6_100);
    shop.woo.shop.addRefund(booked.order, { amount: "1000", reason: "", meta: {} });
    const cancelled = await shop.buy(3_300);
    shop.woo.shop.edit(cancelled.order, { status: "cancelled" });
    const forged = shop.woo.shop.placeOrder({ total: "4400", paymentMethod: "service_gateway" });
    shop.woo.shop.edit(forged.id, { status: "processing" });
    const deleted = await shop.buy(7_700);
    shop.woo.shop.remove(deleted.order);

    const { findings, addsUp } = await shop.audit();
    const rows = findings.map(({ kind, certainty, amount, orders, shownBy }) => [
      kind,
      certainty,
      amount.minor,
      orders.map(({ id }) => Number(id)),
      shownBy,
    ]);
    expect(rows).toEqual([
      ["paid_not_shown", "likely", 9_900, [nameless.order], null],
      ["paid_not_shown", "certain", 8_200, [unheard.order], null],
      ["shown_without_money", "certain", 4_400, [forged.id], null],
      ["refund_on_one_side", "certain", 2_500, [refunded.order], "service"],
      ["refund_on_one_side", "certain", 1_000, [booked.order], "shop"],
      ["cancelled_and_kept", "certain", 3_300, [cancelled.order], null],
      ["money_of_nobody", "certain", 7_700, [], null],
    ]);
    expect(addsUp).toBe(true);
  });

  it("a dispute that only the delivery logs know is found", async () => {
    const url = `${shop.woo.url}/hooks`;
    await shop.service.webhooks.create({ url, authorized_events: ["DISPUTE_CREATED", "DISPUTE_CLOSED"] });
    const { transaction } = await shop.buy(5_000, { method: "card" });
    await shop.buy(5_100);
    await shop.sandbox.control.createDispute({ transaction_id: transaction });
    await expect.poll(async () => (await shop.audit()).findings.map(({ kind }) => kind)).toEqual(["dispute_unknown"]);
  });

  it("both ends are only read: the service and the shop receive nothing but GET", async () => {
    await shop.buy(5_000);
    const before = shop.sandbox.control.listRequests().length;
    await shop.audit();
    const seen = shop.sandbox.control.listRequests();
    const ofAudit = seen.slice(0, seen.length - before);
    expect(ofAudit.length).toBeGreaterThan(2);
    expect(new Set(ofAudit.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(shop.woo.requests.length).toBeGreaterThan(0);
    expect(shop.woo.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("a later audit reads only what is new, and finds what was repaired to be right", async () => {
    const unheard = await shop.buy(8_200, { hears: false });
    for (const total of [5_000, 5_100]) await shop.buy(total);
    const at = Date.now() + 10 * 86_400_000;
    expect((await shop.audit(at)).findings).toHaveLength(1);
    const before = shop.sandbox.control.listRequests().length;
    const order = shop.woo.shop.order(unheard.order);
    if (order) shop.woo.shop.complete(order, unheard.transaction);
    expect((await shop.audit(at + 3_600_000)).findings).toEqual([]);
    const calls = shop.sandbox.control.listRequests().length - before;
    expect(calls).toBeLessThanOrEqual(4);
  });

  it("an audit that was stopped goes on where it was, and finds what one that was not stopped finds", async () => {
    for (let number = 0; number < 230; number += 1) await shop.buy(5_000 + number);
    const lost = await shop.buy(9_900, { hears: false });
    const stop = new AbortController();
    const stopped = shop.audit(undefined, stop.signal, ({ source, rows }) => {
      if (source.endsWith("transactions") && rows === 100) stop.abort();
    });
    await expect(stopped).rejects.toThrow();
    const before = shop.sandbox.control.listRequests().length;
    const { findings, sides } = await shop.audit();
    expect(findings.flatMap(({ orders }) => orders.map(({ id }) => Number(id)))).toEqual([lost.order]);
    expect(sides.payments.count).toBe(231);
    const paths = shop.sandbox.control
      .listRequests()
      .slice(0, shop.sandbox.control.listRequests().length - before)
      .map(({ path }) => path);
    expect(paths.filter((path) => path.includes("/transactions"))).toHaveLength(2);
  });
});
