import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/woocommerce/fake";
import { describe, expect, it, onTestFinished } from "vitest";
import { signCall } from "../src/protocol/signed-call.ts";
import { createWooRest } from "../src/transport/woo-rest.ts";
import { holdCases, type SettleCase, settleCases } from "./vectors.ts";

describe("the fake shop marks paid as a real one does", () => {
  it.each(["pending", "failed", "checkout-draft"])("set_paid counts for an order that is %s", async (status) => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000", status });
    const { body } = await rest.put(`orders/${id}`, { set_paid: true, transaction_id: "t" });
    expect(body).toMatchObject({ status: "processing", transaction_id: "t" });
    expect(fake.shop.stockTaken(id)).toBe(1);
  });

  it.each(["on-hold", "cancelled", "refunded", "trash"])(
    "set_paid is answered 200 and does nothing to an order that is %s",
    async (status) => {
      const { fake, rest } = await openFake();
      const { id } = fake.shop.placeOrder({ total: "5000", status });
      const reply = await rest.put(`orders/${id}`, { set_paid: true });
      expect(reply).toMatchObject({ status: 200, body: { status, date_paid_gmt: null } });
      expect(fake.shop.effects).toEqual([]);
    },
  );

  it.each(["on-hold", "cancelled"])("pending and set_paid in one PUT repair an order that is %s", async (status) => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    fake.shop.edit(id, { status });
    const { body } = await rest.put(`orders/${id}`, { status: "pending", set_paid: true });
    expect(body).toMatchObject({ status: "processing" });
    expect(fake.shop.stockTaken(id)).toBe(1);
  });

  it("two set_paid at once take stock twice; one after the other do not, and the second overwrites the transaction", async () => {
    const { fake, rest } = await openFake();
    fake.faults.setLatency(20);
    const [raced, serial] = [fake.shop.placeOrder({ total: "5000" }), fake.shop.placeOrder({ total: "5000" })];
    await Promise.all(["a", "b"].map((t) => rest.put(`orders/${raced.id}`, { set_paid: true, transaction_id: t })));
    expect(fake.shop.stockTaken(raced.id)).toBe(2);
    for (const t of ["a", "b"]) await rest.put(`orders/${serial.id}`, { set_paid: true, transaction_id: t });
    expect(fake.shop.stockTaken(serial.id)).toBe(1);
    expect(fake.shop.order(serial.id)?.transactionId).toBe("b");
  });
});

describe("the fake shop counts money as a real one does", () => {
  it.each([
    ["10.555", "USD", 0, "11"],
    ["10.555", "USD", 2, "10.56"],
    ["5000", "XOF", 2, "5000.00"],
    ["5000", "XOF", 0, "5000"],
    ["0.005", "EUR", 2, "0.01"],
    ["999.999", "EUR", 2, "1000.00"],
  ])("%s %s with %i decimals is shown as %s", async (total, currency, decimals, shown) => {
    const { fake, rest } = await openFake({ decimals });
    const { id } = fake.shop.placeOrder({ total, currency });
    expect((await rest.get(`orders/${id}`)).body).toMatchObject({ total: shown, currency });
  });
});

describe("the fake shop refunds as a real one does", () => {
  it("the same refund posted twice is two refunds", async () => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    for (const _ of [1, 2]) await rest.post(`orders/${id}/refunds`, { amount: "100", api_refund: false });
    expect(fake.shop.refunds(id)).toHaveLength(2);
  });

  it.each([
    ["more than the order", { amount: "5000.01", api_refund: false }],
    ["through a gateway that cannot", { amount: "100" }],
  ])("%s is refused with a 500", async (_, refund) => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    const reply = await rest.post(`orders/${id}/refunds`, refund);
    expect(reply).toMatchObject({ status: 500, code: "woocommerce_rest_cannot_create_order_refund" });
    expect(fake.shop.refunds(id)).toEqual([]);
  });

  it("the whole sum makes the order refunded", async () => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await rest.post(`orders/${id}/refunds`, { amount: "5000", api_refund: false });
    expect(fake.shop.order(id)?.status).toBe("refunded");
  });
});

describe("the fake shop lists as a real one does", () => {
  it("meta filters are ignored, and a search does not find an order key", async () => {
    const { fake, rest } = await openFake();
    const orders = [1, 2, 3].map(() => fake.shop.placeOrder({ total: "1" }));
    const filtered = await rest.get("orders", { meta_key: "_tillkit_payment_id", meta_value: "x" });
    expect(filtered.body).toHaveLength(3);
    expect((await rest.get("orders", { search: orders[0]?.key ?? "" })).body).toHaveLength(3);
  });

  it("status[] and modified_after work, and the shop's own time is not Greenwich's", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 9));
    const { fake, rest } = await openFake({ clock });
    fake.shop.placeOrder({ total: "1" });
    await clock.advance(3_600_000);
    const later = fake.shop.placeOrder({ total: "1", status: "failed" });
    const query = { status: ["pending", "failed"], modified_after: "2026-01-05T09:30:00" };
    expect((await rest.get("orders", { ...query, dates_are_gmt: true })).body).toMatchObject([{ id: later.id }]);
    expect((await rest.get("orders", query)).body).toHaveLength(2);
    expect((await rest.get("orders", { status: ["on-hold"] })).body).toEqual([]);
  });

  it("an order that is not there is told in each route's own words", async () => {
    const { rest } = await openFake();
    const answers = await Promise.all([
      rest.get("orders/77"),
      rest.put("orders/77", {}),
      rest.get("orders/77/notes"),
      rest.post("orders/77/notes", { note: "Paid." }),
      rest.get("orders/77/refunds"),
      rest.post("orders/77/refunds", { amount: "1", api_refund: false }),
    ]);
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [404, "woocommerce_rest_shop_order_invalid_id"],
      [400, "woocommerce_rest_shop_order_invalid_id"],
      [404, "woocommerce_rest_shop_order_invalid_id"],
      [404, "woocommerce_rest_order_invalid_id"],
      [200, null],
      [500, "woocommerce_rest_invalid_order_id"],
    ]);
  });

  it("notes are not idempotent", async () => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "1" });
    for (const _ of [1, 2]) await rest.post(`orders/${id}/notes`, { note: "Paid." });
    expect(fake.shop.notes(id)).toEqual(["Paid.", "Paid."]);
  });

  it("the same cart placed again, changed, is a new order, and the old one stays payable", async () => {
    const { fake } = await openFake();
    const [old, changed] = [fake.shop.placeOrder({ total: "1" }), fake.shop.placeOrder({ total: "2" })];
    expect(fake.shop.order(old.id)?.status).toBe("pending");
    expect(changed.id).not.toBe(old.id);
  });
});

describe("the fake shop tells others as a real one does", () => {
  it("with a ping that is a form, unsigned and without a topic, and then only when its own timer runs", async () => {
    const { fake } = await openFake();
    const { url, heard } = await listen(200);
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await fake.webhooks.add({ url, secret: "a hint secret" });
    expect(heard).toMatchObject([{ body: "webhook_id=1", type: "application/x-www-form-urlencoded", signature: null }]);
    fake.shop.edit(id, { status: "on-hold" });
    fake.shop.edit(id, { status: "processing" });
    await fake.webhooks.runCron();
    await fake.webhooks.runCron();
    expect(heard).toHaveLength(2);
    const [, { body, signature } = { body: "", signature: "" }] = heard;
    // The state of now, not of the change that caused it.
    expect(JSON.parse(body)).toMatchObject({ id, status: "processing" });
    expect(signature).toBe(createHmac("sha256", "a hint secret").update(body).digest("base64"));
  });

  it("never again what failed, and nothing at all after more than five failures", async () => {
    const { fake } = await openFake();
    const { url, heard } = await listen(500);
    await fake.webhooks.add({ url, secret: "a hint secret" });
    for (let failures = 1; failures <= 6; failures += 1) {
      fake.shop.placeOrder({ total: "1" });
      await fake.webhooks.runCron();
      expect(fake.webhooks.isDisabled()).toBe(failures > 5);
    }
    fake.shop.placeOrder({ total: "1" });
    await fake.webhooks.runCron();
    expect(heard).toHaveLength(1 + 6);
  });
});

describe("the fake shop stands behind what real ones stand behind", () => {
  it("a page with status 200, a redirect to another host, a notice in front of the data", async () => {
    const { fake } = await openFake();
    const ask = () => fetch(`${fake.url}/wp-json/wc/v3/orders`, { redirect: "manual" });
    fake.faults.disturb("html");
    const page = await ask();
    expect({ status: page.status, body: await page.text() }).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^<!doctype html>/),
    });
    fake.faults.disturb("redirect");
    expect((await ask()).headers.get("location")).toMatch(/^https:\/\/www\./);
    fake.faults.disturb("notice");
    expect(await (await ask()).text()).toMatch(/^<br \/>/);
  });
});

describe("the fake shop lets in as a real one does", () => {
  it("refuses a nonce that was used, Basic over plain http, and keys in the query", async () => {
    const { fake } = await openFake();
    const url = signedUrl(fake);
    expect((await fetch(url)).status).toBe(200);
    expect(await codeOf(await fetch(url))).toBe("woocommerce_rest_authentication_error");
    const basic = Buffer.from(`${fake.consumerKey}:${fake.consumerSecret}`).toString("base64");
    const orders = `${fake.url}/wp-json/wc/v3/orders`;
    expect((await fetch(orders, { headers: { Authorization: `Basic ${basic}` } })).status).toBe(401);
    const query = `consumer_key=${fake.consumerKey}&consumer_secret=${fake.consumerSecret}`;
    expect((await fetch(`${orders}?${query}`)).status).toBe(401);
  });

  it("refuses a clock that is 16 minutes off, and takes one that is 14 minutes off", async () => {
    const { fake, rest } = await openFake();
    fake.setClockOffset(14 * 60_000);
    expect((await rest.get("orders")).status).toBe(200);
    fake.setClockOffset(16 * 60_000);
    await expect(rest.get("orders")).rejects.toMatchObject({ code: "reconnect" });
  });

  it("gives a key of least privilege the orders and nothing else", async () => {
    const { fake, rest } = await openFake();
    expect((await rest.get("orders")).status).toBe(200);
    for (const path of ["products", "customers", "settings", "webhooks"]) {
      await expect(rest.get(path)).rejects.toMatchObject({ code: "reconnect" });
    }
    fake.setRights("administrator");
    expect((await rest.get("customers")).status).toBe(200);
    fake.setRights("read-only");
    const { id } = fake.shop.placeOrder({ total: "1" });
    expect((await rest.get(`orders/${id}`)).status).toBe(200);
    await expect(rest.put(`orders/${id}`, { set_paid: true })).rejects.toMatchObject({ code: "reconnect" });
  });
});

describe("the fake plugin settles as the vectors say", () => {
  it.each(settleCases.cases.map((one) => [one.title, one] as const))("%s", async (_, one) => {
    const { order, request, answer, effects } = one;
    const fake = await vectorShop(settleCases.now, order);
    const { reply, told } = await callPlugin(fake, "settle", request, settleCases.now);
    const { status, order_status: orderStatus, paid, ...rest } = answer;
    expect(reply.status).toBe(status);
    expect(told).toMatchObject(rest);
    if (orderStatus !== undefined) expect(told.status).toBe(orderStatus);
    if (paid !== undefined) expect(told.date_paid !== null).toBe(paid);
    expect(fake.shop.effects).toHaveLength(effects);
  });
});

describe("the fake plugin holds as the vectors say", () => {
  it.each(holdCases.cases.map((one) => [one.title, one] as const))("%s", async (_, one) => {
    const { order, request, answer, marked } = one;
    const fake = await vectorShop(holdCases.now, order);
    const { reply, told } = await callPlugin(fake, "hold", request, holdCases.now);
    const { status, order_status: orderStatus, ...rest } = answer;
    expect(reply.status).toBe(status);
    expect(told).toMatchObject(rest);
    if (orderStatus !== undefined) expect(told.status).toBe(orderStatus);
    if (status === 200) expect(fake.shop.order(1_042)?.meta._tillkit_hold ?? null).toBe(marked);
  });
});

async function vectorShop(now: number, order: SettleCase["order"]) {
  const clock = createManualClock(now * 1_000);
  const { fake } = await openFake({ clock });
  if (!order) return fake;
  const { payment_method: paymentMethod, transaction: transactionId = "", key, status, paid } = order;
  const placed = fake.shop.placeOrder({ ...order, paymentMethod, transactionId });
  fake.shop.change(placed.id, { key, status, datePaid: paid ? clock.now() - 1_000 : null, dateCompleted: null });
  return fake;
}

async function callPlugin(fake: FakeWooCommerce, purpose: "settle" | "hold", request: object, now: number) {
  const body = Buffer.from(JSON.stringify(request));
  const headers = signCall({ purpose, store: "boutique", time: String(now), body }, "a secret");
  const reply = await fetch(`${fake.url}/wp-json/tillkit/v1/${purpose}`, { method: "POST", headers, body });
  return { reply, told: (await reply.json()) as Record<string, unknown> };
}

async function openFake(options: Parameters<typeof createFakeWooCommerce>[0] = {}) {
  const plugin = { companionUrl: "https://pay.example", storeId: "boutique", linkSecret: "a secret" };
  const fake = await createFakeWooCommerce({ plugin, ...options });
  onTestFinished(fake.close);
  return { fake, rest: createWooRest({ ...fake, clock: systemClock }) };
}

type Heard = { readonly body: string; readonly type: string | undefined; readonly signature: string | null };

/** Somebody who hears the shop's webhooks, and always answers the same. */
async function listen(status: number): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const signature = request.headers["x-wc-webhook-signature"];
    heard.push({
      body,
      type: request.headers["content-type"],
      signature: signature === undefined ? null : String(signature),
    });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** One request to the shop, signed by hand. */
function signedUrl({ url, consumerKey, consumerSecret }: FakeWooCommerce): string {
  const target = `${url}/wp-json/wc/v3/orders`;
  const parameters = new URLSearchParams({
    oauth_consumer_key: consumerKey,
    oauth_nonce: "once",
    oauth_signature_method: "HMAC-SHA256",
    oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
  });
  const base = `GET&${encodeURIComponent(target)}&${encodeURIComponent(parameters.toString())}`;
  parameters.set("oauth_signature", createHmac("sha256", `${consumerSecret}&`).update(base).digest("base64"));
  return `${target}?${parameters}`;
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}
