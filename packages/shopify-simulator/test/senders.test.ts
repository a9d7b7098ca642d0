import { createHmac } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { createCertificateAuthority } from "@tillkit/shopify-simulator";
import { afterEach, expect, test } from "vitest";
import { openFixture, TOTAL } from "./fixture.ts";

let fixture: Awaited<ReturnType<typeof openFixture>>;
afterEach(() => fixture.close());

const HOUR = 3_600_000;

test("a payment session request has Shopify's headers, amount, group and cancel URL", async () => {
  fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL, locale: "fr-CI" });
  const [{ headers, body } = expect.fail("nothing was posted")] = fixture.received;
  expect(headers).toMatchObject({ "shopify-shop-domain": "acme.myshopify.com", "shopify-api-version": "2026-07" });
  expect(JSON.parse(body)).toMatchObject({
    id: session.id,
    gid: `gid://shopify/PaymentSession/${session.id}`,
    group: session.group,
    amount: "12500.00",
    currency: "XOF",
    test: true,
    kind: "sale",
    payment_method: { type: "offsite", data: { cancel_url: `${fixture.shop.origin}/checkouts/${session.id}` } },
  });
});

test("a repeated session request has the same body and another request id", async () => {
  fixture = await openFixture();
  const session = fixture.shop.openCheckout({ total: TOTAL });
  await Promise.all(Array.from({ length: 5 }, () => fixture.shop.postPayment(session)));
  expect(new Set(fixture.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(fixture.received.map(({ headers }) => headers["shopify-request-id"])).size).toBe(5);
});

test("a response with status 500 and without a redirect URL does not count as the app's answer", async () => {
  fixture = await openFixture({ respond: () => ({ status: 500 }) });
  const { session, answer } = await fixture.shop.startPayment({ total: TOTAL });
  expect(answer).toMatchObject({ status: 500, redirectUrl: null });
  expect(session.answered).toBe(false);
});

test("session requests use a client certificate that the simulator's root signed", async () => {
  fixture = await openFixture();
  const { simulator, shop } = fixture;
  const ours = createCertificateAuthority("Root of the app's certificate");
  const server = createServer(
    {
      ...ours.issue("app", ["127.0.0.1"]),
      ca: simulator.certificateAuthority,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      const trusted = (request.socket as TLSSocket).authorized;
      response.writeHead(trusted ? 200 : 401).end(JSON.stringify({ redirect_url: "https://app.example/pay/1" }));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serverCa = ours.certificate;
  const statusWith = async (identity: { key: string; cert: string }) => {
    simulator.connectApp({ url, paymentUrl: "/payment", identity: { kind: "certificate", ...identity, serverCa } });
    return (await shop.startPayment({ total: TOTAL })).answer.status;
  };
  expect(await statusWith(simulator.clientCertificate)).toBe(200);
  expect(await statusWith(createCertificateAuthority("Somebody").issue("Shopify"))).toBe(401);
  server.closeAllConnections();
  server.close();
});

test("a webhook is signed over its bytes and names its topic", async () => {
  fixture = await openFixture();
  fixture.shop.placeOrder({ total: TOTAL });
  await fixture.simulator.webhooks.settled();
  const [{ headers, body } = expect.fail("nothing was sent")] = fixture.received;
  const hmac = createHmac("sha256", fixture.simulator.app.clientSecret).update(body).digest("base64");
  expect(headers).toMatchObject({ "x-shopify-topic": "orders/create", "x-shopify-hmac-sha256": hmac });
});

test("a failed webhook is repeated eight times in four hours with the same body", async () => {
  fixture = await openFixture({ respond: ({ path }) => ({ status: path === "/webhooks" ? 500 : 200 }) });
  const { clock, shop, simulator, received } = fixture;
  const { id } = shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  for (let minute = 0; minute < 5 * 60; minute += 1) {
    await clock.advance(HOUR / 60);
    await simulator.webhooks.settled();
  }
  const attempts = received.filter(({ headers }) => headers["x-shopify-topic"] === "orders/create");
  expect(attempts).toHaveLength(9);
  expect(new Set(attempts.map(({ headers }) => headers["x-shopify-webhook-id"])).size).toBe(1);
  expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
  expect(simulator.webhooks.deliveries.find(({ topic }) => topic === "orders/create")?.state).toBe("given-up");
  expect(shop.orders.find(id)).not.toBeNull();
});

test("a subscription of the API is deleted after eight failed retries, and a subscription of the toml file is not", async () => {
  fixture = await openFixture({ respond: () => ({ status: 503 }) });
  const { clock, shop, simulator, received } = fixture;
  shop.subscriptions.add("ORDERS_CREATE", `${fixture.appUrl}/api-made`, clock.now());
  shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  for (let minute = 0; minute < 4 * 60; minute += 1) {
    await clock.advance(60_000);
    await simulator.webhooks.settled();
  }
  expect(shop.subscriptions.all).toEqual([]);
  const countBefore = received.length;
  shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  expect(received.slice(countBefore).map(({ path }) => path)).toEqual(["/webhooks"]);
});

test("a webhook of a lost topic never arrives, and webhooks of other topics do", async () => {
  fixture = await openFixture();
  const { clock, shop, simulator, received } = fixture;
  simulator.webhooks.lose("orders/create");
  const { id } = shop.placeOrder({ total: TOTAL });
  shop.editOrder(id, TOTAL);
  simulator.webhooks.lose();
  await simulator.webhooks.release();
  for (let hour = 0; hour < 5; hour += 1) {
    await clock.advance(HOUR);
    await simulator.webhooks.settled();
  }
  expect(received.map(({ headers }) => headers["x-shopify-topic"])).toEqual(["orders/updated"]);
  expect(simulator.webhooks.deliveries.map(({ state }) => state)).toEqual(["lost", "delivered"]);
  shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  expect(received).toHaveLength(2);
});

test("held webhooks can be delivered in another order or twice", async () => {
  fixture = await openFixture();
  const { shop, simulator, received } = fixture;
  simulator.webhooks.hold();
  const { id } = shop.placeOrder({ total: TOTAL });
  shop.editOrder(id, TOTAL);
  expect(received).toEqual([]);
  const ids = simulator.webhooks.deliveries.map((delivery) => delivery.id);
  await simulator.webhooks.release(ids.toReversed());
  const [first = expect.fail("nothing was sent")] = simulator.webhooks.deliveries;
  expect(await simulator.webhooks.resend(first)).toBe(201);
  expect(received.map(({ headers }) => headers["x-shopify-topic"])).toEqual([
    "orders/updated",
    "orders/create",
    "orders/create",
  ]);
});

test("a late uninstall webhook keeps the time of the uninstall", async () => {
  fixture = await openFixture();
  const { shop, simulator, clock, received } = fixture;
  simulator.webhooks.hold();
  const uninstalledAt = clock.now();
  shop.uninstall();
  await clock.advance(HOUR);
  await simulator.webhooks.release();
  expect(received[0]?.headers["x-shopify-triggered-at"]).toBe(new Date(uninstalledAt).toISOString());
});
