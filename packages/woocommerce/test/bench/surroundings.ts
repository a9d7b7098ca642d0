// The service and the shop of the benchmark run in this process, so that the other process measures the checkout server alone.
// The rate limits of the service are off.
import { createServiceClient } from "@tillkit/client";
import { createFakeWooCommerce, type ShopOrder } from "@tillkit/fake-woocommerce";
import { createSandbox } from "@tillkit/sandbox";
import { batchWebhooks, type WebhookBatch } from "./batch-webhooks.ts";
import type { Addresses, BenchRequest, BenchResponse } from "./surroundings-messages.ts";

const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
const fake = await createFakeWooCommerce();
const apiKey = sandbox.keys.test.secret;
let orders: readonly ShopOrder[] = [];
let batch: WebhookBatch | null = null;

process.on("message", (request: BenchRequest) => {
  void answer(request).then((response) => process.send?.(response));
});
process.on("disconnect", async () => {
  batch?.close();
  await fake.close();
  await sandbox.close();
});

const { url: shopUrl, consumerKey, consumerSecret } = fake;
const addresses: Addresses = { serviceUrl: sandbox.baseUrl, apiKey, shopUrl, consumerKey, consumerSecret };
process.send?.(addresses);

async function answer(request: BenchRequest): Promise<BenchResponse[BenchRequest["kind"]]> {
  switch (request.kind) {
    case "connect":
      return await connect(request);
    case "place": {
      fake.faults.setLatency(request.latencyMs);
      orders = Array.from({ length: request.orders }, (_, index) =>
        fake.shop.placeOrder({ total: String(1_000 + index) }),
      );
      return { orderIds: orders.map(({ id }) => id), payLinks: orders.map(({ id }) => fake.payLink(id)) };
    }
    case "pay":
      await Promise.all(request.sessions.map(pay));
      return { paid: request.sessions.length };
    case "report":
      return {
        effects: fake.shop.effects,
        forwardedAt: batch?.forwardedAt() ?? null,
        wrong: orders.filter((order) => !isPaidOnce(order)).length,
      };
  }
}

async function connect(request: Extract<BenchRequest, { kind: "connect" }>): Promise<BenchResponse["connect"]> {
  const { checkoutServerUrl, storeId, linkSecret, webhookBatch } = request;
  fake.setPlugin({ checkoutServerUrl, storeId, linkSecret });
  const path = `/hooks/service/${storeId}`;
  if (webhookBatch > 0) batch = await batchWebhooks(checkoutServerUrl, path, webhookBatch);
  const client = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const url = batch?.url ?? checkoutServerUrl + path;
  const { data } = await client.webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] });
  return { webhookSecret: data.secret ?? "" };
}

async function pay(session: string): Promise<void> {
  await sandbox.control.paySession(session, { method: "card", outcome: "completed" });
}

function isPaidOnce({ id }: ShopOrder): boolean {
  return fake.shop.stockTaken(id) === 1 && fake.shop.order(id)?.status === "processing";
}
