import { createHmac } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { createCertificateAuthority } from "@tillkit/testkit/shopify";
import { afterEach, expect, test } from "vitest";
import { openWorld, TOTAL } from "./world.ts";

let world: Awaited<ReturnType<typeof openWorld>>;
afterEach(() => world.close());

const HOUR = 3_600_000;

test("a payment request looks as Shopify's: headers, exact amount, group, cancel address", async () => {
  world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL, locale: "fr-CI" });
  const [{ headers, body } = expect.fail("nothing was posted")] = world.heard;
  expect(headers).toMatchObject({ "shopify-shop-domain": "acme.myshopify.com", "shopify-api-version": "2026-07" });
  expect(JSON.parse(body)).toMatchObject({
    id: session.id,
    gid: `gid://shopify/PaymentSession/${session.id}`,
    group: session.group,
    amount: "12500.00",
    currency: "XOF",
    test: true,
    kind: "sale",
    payment_method: { type: "offsite", data: { cancel_url: `${world.shop.origin}/checkouts/${session.id}` } },
  });
});

test("the same session posted again is the same request under another request id", async () => {
  world = await openWorld();
  const session = world.shop.propose({ total: TOTAL });
  await Promise.all(Array.from({ length: 5 }, () => world.shop.postPayment(session)));
  expect(new Set(world.heard.map(({ body }) => body)).size).toBe(1);
  expect(new Set(world.heard.map(({ headers }) => headers["shopify-request-id"])).size).toBe(5);
});

test("an answer that is no redirect does not count as one", async () => {
  world = await openWorld({ answers: () => ({ status: 500 }) });
  const { session, answer } = await world.shop.startPayment({ total: TOTAL });
  expect(answer).toMatchObject({ status: 500, redirectUrl: null });
  expect(session.answered).toBe(false);
});

test("Shopify shows its certificate, which its own root signed and another did not", async () => {
  world = await openWorld();
  const { simulator, shop } = world;
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

test("a webhook is signed over its bytes, and names itself", async () => {
  world = await openWorld();
  world.shop.placeOrder({ total: TOTAL });
  await world.simulator.webhooks.settled();
  const [{ headers, body } = expect.fail("nothing was sent")] = world.heard;
  const hmac = createHmac("sha256", world.simulator.app.clientSecret).update(body).digest("base64");
  expect(headers).toMatchObject({ "x-shopify-topic": "orders/create", "x-shopify-hmac-sha256": hmac });
});

test("a webhook that is not taken comes again, eight times in four hours, with the body it had", async () => {
  world = await openWorld({ answers: ({ path }) => ({ status: path === "/webhooks" ? 500 : 200 }) });
  const { clock, shop, simulator, heard } = world;
  const { id } = shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  for (let hour = 0; hour < 5 * 60; hour += 1) {
    await clock.advance(HOUR / 60);
    await simulator.webhooks.settled();
  }
  const creates = heard.filter(({ headers }) => headers["x-shopify-topic"] === "orders/create");
  expect(creates).toHaveLength(9);
  expect(new Set(creates.map(({ headers }) => headers["x-shopify-webhook-id"])).size).toBe(1);
  expect(new Set(creates.map(({ body }) => body)).size).toBe(1);
  expect(simulator.webhooks.deliveries.find(({ topic }) => topic === "orders/create")?.state).toBe("given-up");
  expect(shop.orders.find(id)).not.toBeNull();
});

test("a subscription of the API is deleted after eight failures in a row, one of the toml file is not", async () => {
  world = await openWorld({ answers: () => ({ status: 503 }) });
  const { clock, shop, simulator, heard } = world;
  shop.subscriptions.add("ORDERS_CREATE", `${world.appUrl}/api-made`, clock.now());
  shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  for (let minute = 0; minute < 4 * 60; minute += 1) {
    await clock.advance(60_000);
    await simulator.webhooks.settled();
  }
  expect(shop.subscriptions.all).toEqual([]);
  const before = heard.length;
  shop.placeOrder({ total: TOTAL });
  await simulator.webhooks.settled();
  expect(heard.slice(before).map(({ path }) => path)).toEqual(["/webhooks"]);
});

test("webhooks that are held back come in another order, or twice", async () => {
  world = await openWorld();
  const { shop, simulator, heard } = world;
  simulator.webhooks.hold();
  const { id } = shop.placeOrder({ total: TOTAL });
  shop.editOrder(id, TOTAL);
  expect(heard).toEqual([]);
  const ids = simulator.webhooks.deliveries.map((delivery) => delivery.id);
  await simulator.webhooks.release(ids.toReversed());
  const [first = expect.fail("nothing was sent")] = simulator.webhooks.deliveries;
  expect(await simulator.webhooks.repeat(first)).toBe(201);
  expect(heard.map(({ headers }) => headers["x-shopify-topic"])).toEqual([
    "orders/updated",
    "orders/create",
    "orders/create",
  ]);
});

test("an uninstall that is delivered after a new install still tells its old time", async () => {
  world = await openWorld();
  const { shop, simulator, clock, heard } = world;
  simulator.webhooks.hold();
  const uninstalledAt = clock.now();
  shop.uninstall();
  await clock.advance(HOUR);
  await simulator.webhooks.release();
  expect(heard[0]?.headers["x-shopify-triggered-at"]).toBe(new Date(uninstalledAt).toISOString());
});
