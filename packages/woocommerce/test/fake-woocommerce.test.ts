import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@tillkit/core";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { signCall } from "@tillkit/php-bridge";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWooRest } from "../src/transport/woo-rest.ts";
import { holdCases, type MarkPaidCase, markPaidCases } from "./vectors.ts";

describe("fake WooCommerce: set_paid", () => {
  it.each(["pending", "failed", "checkout-draft"])(
    "the fake shop applies set_paid to an order in the status %s",
    async (status) => {
      const { fake, rest } = await openFake();
      const { id } = fake.shop.placeOrder({ total: "5000", status });
      const { body } = await rest.put(`orders/${id}`, { set_paid: true, transaction_id: "t" });
      expect(body).toMatchObject({ status: "processing", transaction_id: "t" });
      expect(fake.shop.stockTaken(id)).toBe(1);
    },
  );

  it.each(["on-hold", "cancelled", "refunded", "trash"])(
    "the fake shop answers set_paid with 200 and ignores it for an order in the status %s",
    async (status) => {
      const { fake, rest } = await openFake();
      const { id } = fake.shop.placeOrder({ total: "5000", status });
      const reply = await rest.put(`orders/${id}`, { set_paid: true });
      expect(reply).toMatchObject({ status: 200, body: { status, date_paid_gmt: null } });
      expect(fake.shop.effects).toEqual([]);
    },
  );

  it.each(["on-hold", "cancelled"])(
    "the fake shop marks an order in the status %s paid after pending and set_paid in one PUT",
    async (status) => {
      const { fake, rest } = await openFake();
      const { id } = fake.shop.placeOrder({ total: "5000" });
      fake.shop.edit(id, { status });
      const { body } = await rest.put(`orders/${id}`, { status: "pending", set_paid: true });
      expect(body).toMatchObject({ status: "processing" });
      expect(fake.shop.stockTaken(id)).toBe(1);
    },
  );

  it("the fake shop takes stock twice for two concurrent set_paid, but once for two sequential ones, and keeps the last transaction", async () => {
    const { fake, rest } = await openFake();
    fake.faults.setLatency(20);
    const setPaid = (orderId: number, transaction: string) =>
      rest.put(`orders/${orderId}`, { set_paid: true, transaction_id: transaction });
    const concurrent = fake.shop.placeOrder({ total: "5000" });
    await Promise.all([setPaid(concurrent.id, "a"), setPaid(concurrent.id, "b")]);
    expect(fake.shop.stockTaken(concurrent.id)).toBe(2);
    const sequential = fake.shop.placeOrder({ total: "5000" });
    await setPaid(sequential.id, "a");
    await setPaid(sequential.id, "b");
    expect(fake.shop.stockTaken(sequential.id)).toBe(1);
    expect(fake.shop.order(sequential.id)?.transactionId).toBe("b");
  });
});

describe("fake WooCommerce: decimals", () => {
  it.each([
    ["10.555", "USD", 0, "11"],
    ["10.555", "USD", 2, "10.56"],
    ["5000", "XOF", 2, "5000.00"],
    ["5000", "XOF", 0, "5000"],
    ["0.005", "EUR", 2, "0.01"],
    ["999.999", "EUR", 2, "1000.00"],
  ])("the fake shop shows a total of %s %s with %i decimals as %s", async (total, currency, decimals, shown) => {
    const { fake, rest } = await openFake({ decimals });
    const { id } = fake.shop.placeOrder({ total, currency });
    expect((await rest.get(`orders/${id}`)).body).toMatchObject({ total: shown, currency });
  });
});

describe("fake WooCommerce: refunds", () => {
  it("the fake shop makes two refunds from two identical requests", async () => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    for (const _ of [1, 2]) await rest.post(`orders/${id}/refunds`, { amount: "100", api_refund: false });
    expect(fake.shop.refunds(id)).toHaveLength(2);
  });

  it.each([
    ["more than the order total", { amount: "5000.01", api_refund: false }],
    ["an order whose payment method cannot refund", { amount: "100" }],
  ])("the fake shop rejects a refund of %s with a 500", async (_fault, refund) => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    const reply = await rest.post(`orders/${id}/refunds`, refund);
    expect(reply).toMatchObject({ status: 500, code: "woocommerce_rest_cannot_create_order_refund" });
    expect(fake.shop.refunds(id)).toEqual([]);
  });

  it("the fake shop sets a fully refunded order to refunded", async () => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await rest.post(`orders/${id}/refunds`, { amount: "5000", api_refund: false });
    expect(fake.shop.order(id)?.status).toBe("refunded");
  });
});

describe("fake WooCommerce: lists", () => {
  it("the fake shop ignores meta filters and does not search order keys", async () => {
    const { fake, rest } = await openFake();
    const orders = [1, 2, 3].map(() => fake.shop.placeOrder({ total: "1" }));
    const filtered = await rest.get("orders", { meta_key: "_tillkit_payment_id", meta_value: "x" });
    expect(filtered.body).toHaveLength(3);
    expect((await rest.get("orders", { search: orders[0]?.key ?? "" })).body).toHaveLength(3);
  });

  it("the fake shop filters by status[] and by modified_after, which is in its own time zone without dates_are_gmt", async () => {
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

  it("the fake shop answers a missing order with each route's own code", async () => {
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

  it("the fake shop adds the same note twice", async () => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "1" });
    for (const _ of [1, 2]) await rest.post(`orders/${id}/notes`, { note: "Paid." });
    expect(fake.shop.notes(id)).toEqual(["Paid.", "Paid."]);
  });

  it("the fake shop makes a new order from a changed cart and keeps the old one payable", async () => {
    const { fake } = await openFake();
    const old = fake.shop.placeOrder({ total: "1" });
    const changed = fake.shop.placeOrder({ total: "2" });
    expect(fake.shop.order(old.id)?.status).toBe("pending");
    expect(changed.id).not.toBe(old.id);
  });
});

describe("fake WooCommerce: webhooks", () => {
  it("the fake shop sends an unsigned ping and later delivers webhooks only when its cron runs", async () => {
    const { fake } = await openFake();
    const { url, received } = await listen(200);
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await fake.webhooks.add({ url, secret: "a webhook secret" });
    expect(received).toMatchObject([
      { body: "webhook_id=1", type: "application/x-www-form-urlencoded", signature: null },
    ]);
    fake.shop.edit(id, { status: "on-hold" });
    fake.shop.edit(id, { status: "processing" });
    await fake.webhooks.runCron();
    await fake.webhooks.runCron();
    expect(received).toHaveLength(2);
    const [, { body, signature } = { body: "", signature: "" }] = received;
    // The body is the present state of the order, not its state at the time of the change.
    expect(JSON.parse(body)).toMatchObject({ id, status: "processing" });
    expect(signature).toBe(createHmac("sha256", "a webhook secret").update(body).digest("base64"));
  });

  it("the fake shop never retries a webhook and disables it after more than five failures", async () => {
    const { fake } = await openFake();
    const { url, received } = await listen(500);
    await fake.webhooks.add({ url, secret: "a webhook secret" });
    for (let failures = 1; failures <= 6; failures += 1) {
      fake.shop.placeOrder({ total: "1" });
      await fake.webhooks.runCron();
      expect(fake.webhooks.isDisabled()).toBe(failures > 5);
    }
    fake.shop.placeOrder({ total: "1" });
    await fake.webhooks.runCron();
    expect(received).toHaveLength(1 + 6);
  });
});

describe("fake WooCommerce: disturbances", () => {
  it("the fake shop can answer with a page, with a redirect, or with a PHP notice before the JSON", async () => {
    const { fake } = await openFake();
    const listOrders = () => fetch(`${fake.url}/wp-json/wc/v3/orders`, { redirect: "manual" });
    fake.faults.disturb("html");
    const page = await listOrders();
    expect({ status: page.status, body: await page.text() }).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^<!doctype html>/),
    });
    fake.faults.disturb("redirect");
    expect((await listOrders()).headers.get("location")).toMatch(/^https:\/\/www\./);
    fake.faults.disturb("notice");
    expect(await (await listOrders()).text()).toMatch(/^<br \/>/);
  });
});

describe("fake WooCommerce: authentication", () => {
  it("the fake shop rejects a used nonce; over plain http it also rejects Basic authentication and keys in the query", async () => {
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

  it("the fake shop rejects a time 16 minutes off and accepts one 14 minutes off", async () => {
    const { fake, rest } = await openFake();
    fake.setClockOffset(14 * 60_000);
    expect((await rest.get("orders")).status).toBe(200);
    fake.setClockOffset(16 * 60_000);
    await expect(rest.get("orders")).rejects.toMatchObject({ code: "reconnect" });
  });

  it("the fake shop limits a key of least privilege to orders", async () => {
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

describe("fake plugin: mark-paid vectors", () => {
  it.each(markPaidCases.cases.map((one) => [one.title, one] as const))(
    "the fake plugin follows the mark-paid vector: %s",
    async (_title, { order, request, answer, effects }) => {
      const fake = await vectorShop(markPaidCases.now, order);
      const { reply, body } = await callPlugin(fake, "mark-paid", request, markPaidCases.now);
      const { status, order_status: orderStatus, paid, ...fields } = answer;
      expect(reply.status).toBe(status);
      expect(body).toMatchObject(fields);
      if (orderStatus !== undefined) expect(body.status).toBe(orderStatus);
      if (paid !== undefined) expect(body.date_paid !== null).toBe(paid);
      expect(fake.shop.effects).toHaveLength(effects);
    },
  );
});

describe("fake plugin: hold vectors", () => {
  it.each(holdCases.cases.map((one) => [one.title, one] as const))(
    "the fake plugin follows the hold vector: %s",
    async (_title, { order, request, answer, marked }) => {
      const fake = await vectorShop(holdCases.now, order);
      const { reply, body } = await callPlugin(fake, "hold", request, holdCases.now);
      const { status, order_status: orderStatus, ...fields } = answer;
      expect(reply.status).toBe(status);
      expect(body).toMatchObject(fields);
      if (orderStatus !== undefined) expect(body.status).toBe(orderStatus);
      if (status === 200) expect(fake.shop.order(1_042)?.meta._tillkit_hold ?? null).toBe(marked);
    },
  );
});

async function vectorShop(now: number, order: MarkPaidCase["order"]) {
  const clock = createManualClock(now * 1_000);
  const { fake } = await openFake({ clock });
  if (!order) return fake;
  const { payment_method: paymentMethod, transaction: transactionId = "", key, status, paid } = order;
  const placed = fake.shop.placeOrder({ ...order, paymentMethod, transactionId });
  fake.shop.change(placed.id, { key, status, datePaid: paid ? clock.now() - 1_000 : null, dateCompleted: null });
  return fake;
}

async function callPlugin(fake: FakeWooCommerce, purpose: "mark-paid" | "hold", request: object, now: number) {
  const bytes = Buffer.from(JSON.stringify(request));
  const headers = signCall({ purpose, store: "boutique", time: String(now), body: bytes }, "a secret");
  const reply = await fetch(`${fake.url}/wp-json/tillkit/v1/${purpose}`, { method: "POST", headers, body: bytes });
  return { reply, body: (await reply.json()) as Record<string, unknown> };
}

async function openFake(options: Parameters<typeof createFakeWooCommerce>[0] = {}) {
  const plugin = { checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: "a secret" };
  const fake = await createFakeWooCommerce({ plugin, ...options });
  onTestFinished(fake.close);
  return { fake, rest: createWooRest({ ...fake, clock: systemClock }) };
}

type ReceivedWebhook = { readonly body: string; readonly type: string | undefined; readonly signature: string | null };

/** Starts a server that records the shop's webhooks and always answers with the same status. */
async function listen(status: number): Promise<{ url: string; received: ReceivedWebhook[] }> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const signature = request.headers["x-wc-webhook-signature"];
    received.push({
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The address of a request with a hand-made OAuth signature. */
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
