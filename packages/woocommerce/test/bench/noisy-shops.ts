// The service and the shops of noisy-neighbours.ts, in a process of their own. Every shop is a WooCommerce shop with its own address; the
// webhooks of the service arrive at a relay, which sends each to the endpoint of its shop and remembers when.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { signCall } from "@tillkit/php-bridge";
import { createSandbox } from "@tillkit/sandbox";
import type { BenchShop } from "./connect-shops.ts";

/** One payment: the shop's number, its order and its session. */
export type ShopPayment = { readonly shop: number; readonly orderId: number; readonly sessionId: string };

export type NoisyRequest =
  | { readonly kind: "connect"; readonly checkoutServerUrl: string; readonly shops: readonly BenchShop[] }
  | { readonly kind: "place"; readonly shops: readonly number[] }
  | { readonly kind: "misbehave"; readonly shops: readonly number[] }
  | { readonly kind: "pay"; readonly payments: readonly ShopPayment[]; readonly perSecond: number }
  | { readonly kind: "waits"; readonly payments: readonly ShopPayment[] };

export type NoisyAnswer = {
  connect: { readonly webhookSecret: string };
  place: readonly { readonly shop: number; readonly orderId: number; readonly payLink: string }[];
  misbehave: Record<string, never>;
  pay: Record<string, never>;
  /** For each payment the time from its webhook until its order was paid, in milliseconds; null where it is not. */
  waits: readonly (number | null)[];
};

const SLOW_MS = 5_000;
const FLOOD_INTERVAL_MS = 500;

const count = Number(process.argv[2]);
const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
const fakes = await Promise.all(Array.from({ length: count }, () => createFakeWooCommerce()));
let connected: Extract<NoisyRequest, { kind: "connect" }> | null = null;
const storeOf = new Map<string, string>();
const arrivedAt = new Map<string, number>();

const relay = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  const session =
    body
      .toString()
      .match(/[\w-]+/g)
      ?.find((word) => storeOf.has(word)) ?? "";
  if (!arrivedAt.has(session)) arrivedAt.set(session, Date.now());
  const headers = { "X-Service-Signature": String(request.headers["x-service-signature"]) };
  const url = `${connected?.checkoutServerUrl}/hooks/service/${storeOf.get(session)}-test`;
  const { status } = await fetch(url, { method: "POST", headers, body });
  response.writeHead(status).end();
});
await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));

process.on("message", async (request: NoisyRequest) => process.send?.(await answer(request)));
process.on("disconnect", () => process.exit(0));
process.send?.({ serviceUrl: sandbox.baseUrl, apiKey: sandbox.keys.test.secret, urls: fakes.map(({ url }) => url) });

async function answer(request: NoisyRequest): Promise<NoisyAnswer[NoisyRequest["kind"]]> {
  switch (request.kind) {
    case "connect": {
      connected = request;
      const { checkoutServerUrl } = request;
      for (const [number, { storeId, linkSecret }] of request.shops.entries())
        fakes[number]?.setPlugin({ checkoutServerUrl, storeId, linkSecret });
      const { webhooks } = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
      const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`;
      const { data } = await webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] });
      return { webhookSecret: data.secret ?? "" };
    }
    case "place":
      return request.shops.map((shop) => {
        const fake = fakeOf(shop);
        const { id } = fake.shop.placeOrder({ total: "5000" });
        return { shop, orderId: id, payLink: fake.payLink(id) };
      });
    case "misbehave":
      await Promise.all(request.shops.map(misbehave));
      return {};
    case "pay":
      await payAll(request.payments, request.perSecond);
      return {};
    case "waits":
      return request.payments.map(waitOf);
  }
}

function fakeOf(shop: number) {
  const fake = fakes[shop];
  if (fake === undefined) throw new Error(`There is no shop ${shop}.`);
  return fake;
}

/** One quarter of the shops is down, one slow, one refuses every call, and one floods the checkout server. */
async function misbehave(shop: number, index: number): Promise<void> {
  const fake = fakeOf(shop);
  if (index % 4 === 0) await fake.close();
  if (index % 4 === 1) fake.faults.setLatency(SLOW_MS);
  if (index % 4 === 2) fake.faults.disturb("forbidden");
  if (index % 4 === 3) setInterval(() => void flood(shop).catch(() => {}), FLOOD_INTERVAL_MS);
}

/** A signed call about an order, and a webhook that nobody signed. */
async function flood(shop: number): Promise<void> {
  const { storeId = "", linkSecret = "" } = connected?.shops[shop] ?? {};
  const body = Buffer.from(JSON.stringify({ order: "1", key: "wc_order_none", site: fakeOf(shop).url }));
  const time = String(Math.floor(Date.now() / 1_000));
  const headers = signCall({ purpose: "status", store: storeId, time, body }, linkSecret);
  const url = connected?.checkoutServerUrl;
  await fetch(`${url}/bridge/v1/status`, { method: "POST", headers, body });
  await fetch(`${url}/hooks/service/${storeId}-test`, { method: "POST", body });
}

async function payAll(payments: readonly ShopPayment[], perSecond: number): Promise<void> {
  for (const { shop, sessionId } of payments) storeOf.set(sessionId, connected?.shops[shop]?.storeId ?? "");
  const started = Date.now();
  const paying: Promise<unknown>[] = [];
  for (const [index, { sessionId }] of payments.entries()) {
    const early = started + (index * 1_000) / perSecond - Date.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    paying.push(sandbox.control.paySession(sessionId, { method: "card", outcome: "completed" }));
  }
  await Promise.all(paying);
}

function waitOf({ shop, orderId, sessionId }: ShopPayment): number | null {
  const effect = fakeOf(shop).shop.effects.find((each) => each.orderId === orderId);
  const from = arrivedAt.get(sessionId);
  return effect === undefined || from === undefined ? null : effect.at - from;
}
