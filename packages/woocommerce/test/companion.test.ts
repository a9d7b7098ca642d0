import { describe, expect, it, vi } from "vitest";
import { openWorld } from "./world.ts";

const PATIENCE = { timeout: 10_000, interval: 20 };

describe("a shopper with a pay link", () => {
  it("is sent to the hosted page, and the order is marked paid by the webhook, once", async () => {
    const world = await openWorld();
    const { order, payment } = await world.openOrder();
    expect(payment).toMatchObject({ state: "open", owed: { minor: 5_000, currency: "XOF" }, wireAmount: 5_000 });
    await world.pay(payment);
    await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
    expect(world.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      paymentMethod: "tillkit",
      meta: { _tillkit_payment_id: payment.id },
    });
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
    expect(world.fake.shop.effects).toHaveLength(1);
  });

  it("is answered without any trace in caches or referrers", async () => {
    const world = await openWorld();
    const answer = await world.follow(world.fake.shop.placeOrder({ total: "5000" }));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("gets the same session again for the same order, and a new one when the total changed", async () => {
    const world = await openWorld();
    const order = world.fake.shop.placeOrder({ total: "5000" });
    const first = (await world.follow(order)).headers.get("location");
    expect((await world.follow(order)).headers.get("location")).toBe(first);
    world.fake.shop.edit(order.id, { total: "6000" });
    expect((await world.follow(order)).headers.get("location")).not.toBe(first);
    expect((await world.payments(order.id)).map(({ state }) => state)).toEqual(["superseded", "open"]);
  });

  it("whose order is paid already comes back to the shop", async () => {
    const world = await openWorld();
    const meta = { _tillkit_return_url: `${world.fake.url}/checkout/order-received/1042/?key=k` };
    const { order, payment } = await world.openOrder({ meta });
    await world.pay(payment);
    await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
    const answer = await world.follow(order);
    expect(answer.headers.get("location")).toBe(meta._tillkit_return_url);
  });
});

describe("a shopper who comes again for an order that was paid otherwise, in money we do not take", () => {
  it("is sent back to the shop", async () => {
    const world = await openWorld({ timer: false });
    const meta = { _tillkit_return_url: `${world.fake.url}/checkout/order-received/1042/?key=k` };
    const order = world.fake.shop.placeOrder({ total: "10.00", currency: "USD", meta });
    world.fake.shop.edit(order.id, { status: "processing", paymentMethod: "bacs" });
    const answer = await world.follow(order);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(meta._tillkit_return_url);
  });
});

describe("a pay link that is not good", () => {
  it.each([
    ["forged", (link: URL) => link.searchParams.set("amount", "1.00"), 403, "This link is not valid"],
    ["cut off", (link: URL) => link.searchParams.delete("sig"), 404, "This link does not work"],
    ["of a shop we do not know", (link: URL) => link.searchParams.set("store", "else"), 404, "This link does not work"],
  ])("%s is refused with a page that a shopper understands", async (_, damage, status, heading) => {
    const world = await openWorld();
    const order = world.fake.shop.placeOrder({ total: "5000" });
    const link = new URL(world.fake.payLink(order.id));
    damage(link);
    const answer = await world.follow(link.href);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(heading);
    expect(await world.payments(order.id)).toEqual([]);
    expect(world.fake.requests).toEqual([]);
  });

  it("too old is refused", async () => {
    const world = await openWorld();
    const order = world.fake.shop.placeOrder({ total: "5000" });
    world.fake.setClockOffset(-3 * 3_600_000);
    const link = world.fake.payLink(order.id);
    world.fake.setClockOffset(0);
    const answer = await world.follow(link);
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain("This link is no longer valid");
  });

  it("with another order's key is refused: a copy of the shop has other keys under the same numbers", async () => {
    const world = await openWorld();
    const order = world.fake.shop.placeOrder({ total: "5000" });
    const link = world.fake.payLink(order.id);
    world.fake.shop.edit(order.id, { key: "wc_order_of_the_original" });
    expect((await world.follow(link)).status).toBe(404);
    expect(await world.payments(order.id)).toEqual([]);
  });

  it.each([
    ["the total was edited", { total: "4000" }, 409, "Your order has changed"],
    ["the currency was edited", { currency: "USD" }, 409, "Your order has changed"],
    ["another way to pay was chosen", { paymentMethod: "bacs" }, 409, "Your order has changed"],
    ["it was cancelled", { status: "cancelled" }, 409, "This order can no longer be paid"],
    ["it is in the bin", { status: "trash" }, 409, "This order can no longer be paid"],
  ])(
    "of an order that is another one by now, because %s, leads back to the order",
    async (_, change, status, heading) => {
      const world = await openWorld();
      const order = world.fake.shop.placeOrder({ total: "5000" });
      const link = world.fake.payLink(order.id);
      world.fake.shop.edit(order.id, change);
      const answer = await world.follow(link);
      expect(answer.status).toBe(status);
      const page = await answer.text();
      expect(page).toContain(heading);
      expect(page).toContain(`${world.fake.url}/checkout/order-pay/${order.id}/`);
      expect(await world.payments(order.id)).toEqual([]);
    },
  );

  it("is looked at by a scanner without any effect", async () => {
    const world = await openWorld();
    const order = world.fake.shop.placeOrder({ total: "5000" });
    await fetch(world.fake.payLink(order.id), { method: "HEAD", redirect: "manual" });
    for (const headers of [
      { "Sec-Purpose": "prefetch;prerender" },
      { Purpose: "prefetch" },
      { "X-Purpose": "preview" },
    ])
      await fetch(world.fake.payLink(order.id), { headers, redirect: "manual" });
    expect(world.fake.requests).toEqual([]);
  });
});

describe("where a shopper is sent", () => {
  it.each([
    ["another host", "https://evil.example/thanks"],
    ["another scheme", "javascript:alert(1)"],
    ["a user name that looks like the shop", "http://127.0.0.1@evil.example/"],
    ["another port of the same host", "http://127.0.0.1:1/thanks"],
    ["nothing", ""],
  ])("is the shop itself when the order's meta says %s", async (_, url) => {
    const world = await openWorld({ timer: false });
    const order = world.fake.shop.placeOrder({ total: "5000", meta: { _tillkit_return_url: url } });
    const adapter = await world.companion().checkout.engine.store("boutique");
    const ref = { storeId: "boutique", orderId: String(order.id) };
    expect(await adapter.shopperUrl(ref, "", "paid")).toBe(`${world.fake.url}/`);
  });

  it("is the page to pay again when the shopper left the hosted page, and the order stays as it was", async () => {
    const world = await openWorld();
    const meta = { _tillkit_cancel_url: "" };
    const cancelUrl = () => `${world.fake.url}/checkout/order-pay/`;
    const { order, payment } = await world.openOrder({ meta });
    const { cancel_url: back } = JSON.parse(payment.request) as { cancel_url: string };
    const answer = await fetch(back, { redirect: "manual" });
    expect(answer.headers.get("location")).toContain(cancelUrl());
    expect(world.fake.shop.order(order.id)?.status).toBe("pending");
  });
});

describe("the order screen", () => {
  it("shows payment, verdict and history, in the language that was asked for", async () => {
    const world = await openWorld();
    const { order, payment } = await world.openOrder();
    await world.pay(payment);
    await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
    const { status, body } = await world.call("status", { order: String(order.id), key: order.key, language: "fr" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ order: String(order.id), attention: false, refunds: [] });
    expect(body.payments).toMatchObject([{ payment: payment.id, state: "recorded", environment: "test" }]);
    expect(body.headline).toContain("la commande le montre");
    expect(JSON.stringify(body.history)).toContain("La commande est marquée payée");
  });

  it("looks now: a payment whose webhook was lost is found", async () => {
    const world = await openWorld({ timer: false });
    const { order, payment } = await world.openOrder();
    await world.pay(payment);
    const { body } = await world.call("check", { order: String(order.id), key: order.key });
    expect(body.payments).toMatchObject([{ state: "recorded" }]);
    expect(world.fake.shop.order(order.id)?.status).toBe("processing");
  });

  it("says so where nobody has tried to pay", async () => {
    const world = await openWorld({ timer: false });
    const order = world.fake.shop.placeOrder({ total: "5000" });
    const { body } = await world.call("status", { order: String(order.id), key: order.key, language: "en" });
    expect(body).toMatchObject({ headline: "Nobody has tried to pay this order yet.", payments: [], history: [] });
  });

  it("of a copied shop learns nothing of the original's order", async () => {
    const world = await openWorld({ timer: false });
    const { order } = await world.openOrder();
    const end = await world.call("status", { order: String(order.id), key: "wc_order_of_the_copy" });
    expect(end).toMatchObject({ status: 404, body: { code: "tillkit_order_not_known" } });
  });
});

describe("a call of the plugin", () => {
  it.each([
    [
      "signed with another secret",
      { secret: "some other secret that nobody has agreed upon" },
      401,
      "tillkit_signature_invalid",
    ],
    ["16 minutes off", { offsetSeconds: -960 }, 401, "tillkit_clock_differs"],
  ])("%s is refused", async (_, extras, status, code) => {
    const world = await openWorld({ timer: false });
    const end = await world.call("status", { order: "1042", key: "wc_order_x" }, extras);
    expect(end).toMatchObject({ status, body: { code, data: { status } } });
    if (code === "tillkit_clock_differs") {
      const { now } = end.body.data as { now: number };
      expect(Math.abs(now - Date.now() / 1_000)).toBeLessThan(5);
      expect(end.body.message).toContain("16 minutes");
    }
  });

  it.each([
    [{}],
    [{ order: "0", key: "wc_order_x" }],
    [{ order: 1042, key: "wc_order_x" }],
    [{ order: "1042", key: "../x" }],
  ])("that says %j is refused", async (body) => {
    const world = await openWorld({ timer: false });
    expect(await world.call("status", body)).toMatchObject({ status: 400, body: { code: "tillkit_bad_request" } });
  });
});

it("a call that is too large is refused, and so is a call that nobody signed", async () => {
  const world = await openWorld({ timer: false });
  const post = (body: string) => fetch(`${world.url}/woo/orders/status`, { method: "POST", body });
  const large = await post("x".repeat(70_000));
  expect({ status: large.status, body: await large.json() }).toMatchObject({
    status: 413,
    body: { code: "tillkit_body_too_large" },
  });
  expect((await post("{}")).status).toBe(401);
});

describe("the health panel", () => {
  it("shows a real amount as it will be sent, and that shop, service and webhooks work", async () => {
    const world = await openWorld();
    const wish = { amount: "5000.00", currency: "XOF", language: "en", webhook: true };
    const { body } = await world.call("health", wish);
    expect(body).toMatchObject({
      protocol: 1,
      store: "boutique",
      environment: "test",
      currencies: ["XOF"],
      decimals: { XOF: 0 },
      shop: { ok: true },
      service: { ok: true },
      amount: { ok: true, wire: 5_000, unit: "minor", shown: { minor: 5_000, currency: "XOF" } },
      webhook: { ok: true, last: null },
    });
  });

  it.each([
    ["an amount that is not exact in francs", { amount: "5000.50", currency: "XOF" }],
    ["a currency that the shop does not take", { amount: "19.99", currency: "USD" }],
  ])("finds %s", async (_, wish) => {
    const world = await openWorld({ timer: false });
    expect((await world.call("health", wish)).body.amount).toMatchObject({ ok: false });
  });

  it("says what is wrong with shop, service and webhook address", async () => {
    const world = await openWorld({ timer: false, config: { publicUrl: "http://127.0.0.1:9" } });
    world.fake.faults.disturb("html");
    await world.sandbox.close();
    const { body } = await world.call("health", { webhook: true });
    expect(body).toMatchObject({ shop: { ok: false }, service: { ok: false }, webhook: { ok: false } });
  });

  it("says that no order is marked paid where only the plugin may do so and is kept out of reach", async () => {
    const world = await openWorld({ timer: false, store: { settleBy: "plugin" } });
    world.fake.setPlugin(null);
    const { body } = await world.call("health", { language: "en" });
    expect(body.shop).toMatchObject({ ok: false, message: expect.stringContaining("no order is marked paid") });
  });

  it.each([
    ["minor", 2_000, "2,000"],
    ["major", 20, "20"],
  ] as const)(
    "lets a factor of 100 be seen: counted as %s, %i is sent and the page asks for %s",
    async (amountUnit, wire, asked) => {
      const world = await openWorld({ timer: false, config: { amountUnit }, store: { currencies: ["EUR"] } });
      await world.sandbox.control.changeSettings({ amountExponents: { XOF: 0, USD: 2, EUR: 0 } });
      const money = { amount: "20.00", currency: "EUR" };
      expect((await world.call("health", money)).body.amount).toMatchObject({ wire });
      const { body } = await world.call("preview", money);
      const page = await (await fetch(String(body.url), { headers: { "Accept-Language": "en" } })).text();
      expect(/€\s?([\d,.]+)/.exec(page)?.[1]).toBe(asked);
    },
  );

  it("opens a hosted page with that amount for the owner's own eyes", async () => {
    const world = await openWorld({ timer: false });
    const { status, body } = await world.call("preview", { amount: "5000.00", currency: "XOF" });
    expect(status).toBe(200);
    const page = await (await fetch(String(body.url))).text();
    expect(page.replace(/\s/g, "")).toContain("5000");
  });
});
