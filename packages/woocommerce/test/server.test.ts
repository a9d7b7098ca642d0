import { sign } from "@tillkit/php-bridge";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { LINK_SECRET, openServerFixture, STORE_ID } from "./server-fixture.ts";

describe("pay links", () => {
  it("a pay link leads to the hosted page, and the webhook marks the order paid once", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    expect(payment).toMatchObject({ state: "open", amountDue: { minor: 5_000, currency: "XOF" }, wireAmount: 5_000 });
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(fixture.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      paymentMethod: "tillkit",
      meta: { _tillkit_payment_id: payment.id },
    });
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
    expect(fixture.fake.shop.effects).toHaveLength(1);
  });

  it("the redirect of a pay link is not cached and sends no referrer", async () => {
    const fixture = await openServerFixture();
    const answer = await fixture.follow(fixture.fake.shop.placeOrder({ total: "5000" }));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("a pay link reuses the session of the order and opens a new one after a change of the total", async () => {
    const fixture = await openServerFixture();
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const first = (await fixture.follow(order)).headers.get("location");
    expect((await fixture.follow(order)).headers.get("location")).toBe(first);
    fixture.fake.shop.edit(order.id, { total: "6000" });
    expect((await fixture.follow(order)).headers.get("location")).not.toBe(first);
    expect((await fixture.payments(order.id)).map(({ state }) => state)).toEqual(["superseded", "open"]);
  });

  it("the pay link of a paid order leads back to the shop", async () => {
    const fixture = await openServerFixture();
    const meta = { _tillkit_return_url: `${fixture.fake.url}/checkout/order-received/1042/?key=k` };
    const { order, payment } = await fixture.openOrder({ meta });
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    const answer = await fixture.follow(order);
    expect(answer.headers.get("location")).toBe(meta._tillkit_return_url);
  });
});

describe("orders that were paid otherwise", () => {
  it("the pay link of an order paid by another method in an unsupported currency leads back to the shop", async () => {
    const fixture = await openServerFixture({ timer: false });
    const meta = { _tillkit_return_url: `${fixture.fake.url}/checkout/order-received/1042/?key=k` };
    const order = fixture.fake.shop.placeOrder({ total: "10.00", currency: "USD", meta });
    fixture.fake.shop.edit(order.id, { status: "processing", paymentMethod: "bacs" });
    const answer = await fixture.follow(order);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(meta._tillkit_return_url);
  });
});

describe("invalid pay links", () => {
  it.each([
    ["forged", (link: URL) => link.searchParams.set("amount", "1.00"), 403, "This link is not valid"],
    ["truncated", (link: URL) => link.searchParams.delete("sig"), 404, "This link does not work"],
    ["unknown-store", (link: URL) => link.searchParams.set("store", "else"), 404, "This link does not work"],
  ])("a %s pay link is answered with a page that explains the problem", async (_, damage, status, heading) => {
    const fixture = await openServerFixture();
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const link = new URL(fixture.fake.payLink(order.id));
    damage(link);
    const answer = await fixture.follow(link.href);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(heading);
    expect(await fixture.payments(order.id)).toEqual([]);
    expect(fixture.fake.requests).toEqual([]);
  });

  it("an expired pay link is answered with a page that says that the link is no longer valid", async () => {
    const fixture = await openServerFixture();
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    fixture.fake.setClockOffset(-3 * 3_600_000);
    const link = fixture.fake.payLink(order.id);
    fixture.fake.setClockOffset(0);
    const answer = await fixture.follow(link);
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain("This link is no longer valid");
  });

  it("a pay link with another order key is refused, for instance a link from a copy of the shop with the same order numbers", async () => {
    const fixture = await openServerFixture();
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const link = fixture.fake.payLink(order.id);
    fixture.fake.shop.edit(order.id, { key: "wc_order_of_the_original" });
    expect((await fixture.follow(link)).status).toBe(404);
    expect(await fixture.payments(order.id)).toEqual([]);
  });

  it.each([
    ["the total was edited", { total: "4000" }, 409, "Your order has changed"],
    ["the currency was edited", { currency: "USD" }, 409, "Your order has changed"],
    ["another payment method was chosen", { paymentMethod: "bacs" }, 409, "This order has another payment method"],
    [
      "another plugin took the order back to a quote",
      { status: "quote-requested" },
      409,
      "This order cannot be paid at the moment",
    ],
    ["the order was cancelled", { status: "cancelled" }, 409, "This order can no longer be paid"],
    ["the order was moved to the trash", { status: "trash" }, 409, "This order can no longer be paid"],
  ])(
    "a pay link is answered with a page that leads back to the order after a change: %s",
    async (_, change, status, heading) => {
      const fixture = await openServerFixture();
      const order = fixture.fake.shop.placeOrder({ total: "5000" });
      const link = fixture.fake.payLink(order.id);
      fixture.fake.shop.edit(order.id, change);
      const answer = await fixture.follow(link);
      expect(answer.status).toBe(status);
      const page = await answer.text();
      expect(page).toContain(heading);
      expect(page).toContain(`${fixture.fake.url}/checkout/order-pay/${order.id}/`);
      expect(await fixture.payments(order.id)).toEqual([]);
      const refused = fixture.log.filter(({ message }) => /^woo\.(?:link_refused|order_changed)$/.test(message));
      expect(refused).toMatchObject([{ level: "warn", fields: { orderId: String(order.id) } }]);
    },
  );

  it("an order in the payable status of another plugin is paid, by the plugin's route and by REST", async () => {
    for (const writeOrdersBy of ["plugin", "rest"] as const) {
      const fixture = await openServerFixture({ store: { writeOrdersBy } });
      const { order, payment } = await fixture.openOrder({ status: "quote-accepted" });
      await fixture.pay(payment);
      await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
      expect(fixture.fake.shop.order(order.id)).toMatchObject({ status: "processing" });
      expect(fixture.fake.shop.effects).toHaveLength(1);
    }
  });

  it("HEAD requests and prefetches of a pay link have no effect", async () => {
    const fixture = await openServerFixture();
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    await fetch(fixture.fake.payLink(order.id), { method: "HEAD", redirect: "manual" });
    for (const headers of [
      { "Sec-Purpose": "prefetch;prerender" },
      { Purpose: "prefetch" },
      { "X-Purpose": "preview" },
    ])
      await fetch(fixture.fake.payLink(order.id), { headers, redirect: "manual" });
    expect(fixture.fake.requests).toEqual([]);
  });
});

describe("return addresses", () => {
  it.each([
    ["another host", "https://evil.example/thanks"],
    ["another scheme", "javascript:alert(1)"],
    ["on another host, with a user name that looks like the shop", "http://127.0.0.1@evil.example/"],
    ["another port of the same host", "http://127.0.0.1:1/thanks"],
    ["empty", ""],
  ])("the shopper returns to the front page of the shop if the order's return address is %s", async (_, url) => {
    const fixture = await openServerFixture({ timer: false });
    const order = fixture.fake.shop.placeOrder({ total: "5000", meta: { _tillkit_return_url: url } });
    const adapter = await fixture.server().checkout.engine.store("boutique");
    const ref = { storeId: "boutique", orderId: String(order.id) };
    expect(await adapter.shopperUrl(ref, "", "paid")).toBe(`${fixture.fake.url}/`);
  });

  it("a shopper returns to the domain of their language, which the plugin signed for this order, and to no address that another plugin wrote", async () => {
    const fixture = await openServerFixture({ timer: false });
    const returnUrl = "https://fr.shop.example/commande/1042/?key=k";
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const lines = (id: number) => ["tillkit v1 return", STORE_ID, String(id), returnUrl, ""];
    const pageAfter = async (_tillkit_return_sig: string) => {
      const meta = { _tillkit_return_url: returnUrl, _tillkit_cancel_url: "", _tillkit_return_sig };
      fixture.fake.shop.edit(order.id, { meta });
      const adapter = await fixture.server().checkout.engine.store(STORE_ID);
      return await adapter.shopperUrl({ storeId: STORE_ID, orderId: String(order.id) }, "", "paid");
    };
    expect(await pageAfter(sign(lines(order.id), LINK_SECRET))).toBe(returnUrl);
    expect(fixture.log).toEqual([]);
    for (const forged of ["", sign(lines(order.id), "another secret"), sign(lines(order.id + 1), LINK_SECRET)])
      expect(await pageAfter(forged)).toBe(`${fixture.fake.url}/`);
    const refused = { storeId: STORE_ID, orderId: String(order.id), origin: "https://fr.shop.example" };
    expect(fixture.log.map(({ message, fields }) => [message, fields])).toEqual(
      Array(3).fill(["woo.return_address_refused", expect.objectContaining(refused)]),
    );
  });

  it("a shopper who leaves the hosted page returns to the payment page of the unchanged order", async () => {
    const fixture = await openServerFixture();
    const meta = { _tillkit_cancel_url: "" };
    const { order, payment } = await fixture.openOrder({ meta });
    const { cancel_url: cancelUrl } = JSON.parse(payment.request) as { cancel_url: string };
    const answer = await fetch(cancelUrl, { redirect: "manual" });
    expect(answer.headers.get("location")).toContain(`${fixture.fake.url}/checkout/order-pay/`);
    expect(fixture.fake.shop.order(order.id)?.status).toBe("pending");
  });
});

describe("status and check calls", () => {
  it("the status call returns payments and timeline in the requested language", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    const { status, body } = await fixture.call("status", { order: String(order.id), key: order.key, language: "fr" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ order: String(order.id), attention: false, refunds: [] });
    expect(body.payments).toMatchObject([{ payment: payment.id, state: "recorded", environment: "test" }]);
    expect(body.headline).toContain("la commande l’indique");
    expect(JSON.stringify(body.timeline)).toContain("La commande est marquée payée");
  });

  it("the check call finds a payment whose webhook was lost", async () => {
    const fixture = await openServerFixture({ timer: false });
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    // An answer that took too long shows what was known before.
    await waitFor(async () => {
      const { body } = await fixture.call("check", { order: String(order.id), key: order.key });
      expect(body.payments).toMatchObject([{ state: "recorded" }]);
    });
    expect(fixture.fake.shop.order(order.id)?.status).toBe("processing");
  });

  it("the status of an order without payments is an empty timeline", async () => {
    const fixture = await openServerFixture({ timer: false });
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const { body } = await fixture.call("status", { order: String(order.id), key: order.key, language: "en" });
    expect(body).toMatchObject({ headline: "Nobody has tried to pay this order yet.", payments: [], timeline: [] });
  });

  it("a copy of the shop gets no information about the original's order", async () => {
    const fixture = await openServerFixture({ timer: false });
    const { order } = await fixture.openOrder();
    const result = await fixture.call("status", { order: String(order.id), key: "wc_order_of_the_copy" });
    expect(result).toMatchObject({ status: 404, body: { code: "tillkit_order_not_known" } });
  });
});

describe("signed calls", () => {
  it.each([
    [
      "signed with another secret",
      { secret: "some other secret that nobody has agreed upon" },
      401,
      "tillkit_signature_invalid",
    ],
    ["with a time 16 minutes off", { offsetSeconds: -960 }, 401, "tillkit_clock_differs"],
  ])("a call %s is refused", async (_, callOptions, status, code) => {
    const fixture = await openServerFixture({ timer: false });
    const before = Math.floor(Date.now() / 1_000);
    const result = await fixture.call("status", { order: "1042", key: "wc_order_x" }, callOptions);
    expect(result).toMatchObject({ status, body: { code, data: { status } } });
    if (code === "tillkit_clock_differs") {
      const { now } = result.body.data as { now: number };
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
      expect(result.body.message).toContain("16 minutes");
    }
  });

  it.each([
    [{}],
    [{ order: "0", key: "wc_order_x" }],
    [{ order: 1042, key: "wc_order_x" }],
    [{ order: "1042", key: "../x" }],
  ])("a status call with the body %j is a bad request", async (body) => {
    const fixture = await openServerFixture({ timer: false });
    expect(await fixture.call("status", body)).toMatchObject({ status: 400, body: { code: "tillkit_bad_request" } });
  });
});

it("a call that is too large or unsigned is refused", async () => {
  const fixture = await openServerFixture({ timer: false });
  const post = (body: string) => fetch(`${fixture.url}/bridge/v1/status`, { method: "POST", body });
  const large = await post("x".repeat(70_000));
  expect({ status: large.status, body: await large.json() }).toMatchObject({
    status: 413,
    body: { code: "tillkit_body_too_large" },
  });
  expect((await post("{}")).status).toBe(401);
});

describe("health and preview calls", () => {
  it("the health call returns the amount that is sent and the checks of shop, service and webhook", async () => {
    const fixture = await openServerFixture();
    const input = { amount: "5000.00", currency: "XOF", language: "en", webhook: true };
    const { body } = await fixture.call("health", input);
    expect(body).toMatchObject({
      protocol: 1,
      store: "boutique",
      environment: "test",
      currencies: ["XOF"],
      decimals: { XOF: 0 },
      shop: { ok: true },
      service: { ok: true },
      amount: { ok: true, wire_amount: 5_000, unit: "minor", shown: { minor: 5_000, currency: "XOF" } },
      webhook: { ok: true, last: null },
    });
  });

  it.each([
    ["a fraction of a franc", { amount: "5000.50", currency: "XOF" }],
    ["an unsupported currency", { amount: "19.99", currency: "USD" }],
  ])("the health call rejects %s", async (_, input) => {
    const fixture = await openServerFixture({ timer: false });
    expect((await fixture.call("health", input)).body.amount).toMatchObject({ ok: false });
  });

  it("the health call reports failures of shop, service and webhook address", async () => {
    const fixture = await openServerFixture({ timer: false, config: { publicUrl: "http://127.0.0.1:9" } });
    fixture.fake.faults.disturb("html");
    await fixture.sandbox.close();
    const { body } = await fixture.call("health", { webhook: true });
    expect(body).toMatchObject({ shop: { ok: false }, service: { ok: false }, webhook: { ok: false } });
  });

  it("the health call says that no order is marked paid while a required plugin is unreachable", async () => {
    const fixture = await openServerFixture({ timer: false, store: { writeOrdersBy: "plugin" } });
    fixture.fake.setPlugin(null);
    const { body } = await fixture.call("health", { language: "en" });
    expect(body.shop).toMatchObject({ ok: false, message: expect.stringContaining("no order is marked paid") });
  });

  it.each([
    ["minor", 2_000, "2,000"],
    ["major", 20, "20"],
  ] as const)(
    "health and preview reveal an amount that is wrong by a factor of 100: with the unit %s, %i is sent and the page asks for %s",
    async (amountUnit, wireAmount, shownAmount) => {
      const fixture = await openServerFixture({
        timer: false,
        config: { amountUnit },
        store: { currencies: ["EUR"] },
      });
      await fixture.sandbox.control.changeSettings({ amountExponents: { XOF: 0, USD: 2, EUR: 0 } });
      const money = { amount: "20.00", currency: "EUR" };
      expect((await fixture.call("health", money)).body.amount).toMatchObject({ wire_amount: wireAmount });
      const { body } = await fixture.call("preview", money);
      const page = await (await fetch(String(body.url), { headers: { "Accept-Language": "en" } })).text();
      expect(/€\s?([\d,.]+)/.exec(page)?.[1]).toBe(shownAmount);
    },
  );

  it("the preview call opens a hosted page with the amount", async () => {
    const fixture = await openServerFixture({ timer: false });
    const { status, body } = await fixture.call("preview", { amount: "5000.00", currency: "XOF" });
    expect(status).toBe(200);
    const page = await (await fetch(String(body.url))).text();
    expect(page.replace(/\s/g, "")).toContain("5000");
  });
});

describe("an order in another currency than the shop's", () => {
  it("an order of 12.34 euros in a shop with prices in francs is paid with 12.34 euros", async () => {
    const fixture = await openServerFixture({ fake: { decimals: 0 }, store: { currencies: ["XOF", "EUR"] } });
    const { order, payment } = await fixture.openOrder({ total: "12.34", currency: "EUR" });
    expect(payment.amountDue).toEqual({ minor: 1_234, currency: "EUR" });
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(fixture.fake.shop.order(order.id)).toMatchObject({ status: "processing" });
  });

  it("a link whose amount the order does not ask is logged, and its owner reads once why nobody can pay", async () => {
    const fixture = await openServerFixture();
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const link = fixture.fake.payLink(order.id);
    fixture.fake.shop.edit(order.id, { total: "4000" });
    for (let click = 0; click < 3; click += 1) expect((await fixture.follow(link)).status).toBe(409);
    expect(fixture.log.filter(({ message }) => message === "woo.order_changed")).toHaveLength(3);
    const notes = fixture.fake.shop.notes(order.id).filter((note) => note.includes("5000"));
    expect(notes).toHaveLength(1);
  });
});
