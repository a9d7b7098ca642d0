// The service and the shop of the bench, in a process of their own: what is measured in the other one is the companion alone.
// The service's own rate limits are switched off: they are another ceiling.
import { createServiceClient } from "@tillkit/client";
import { createSandbox } from "@tillkit/sandbox";
import { createFakeWooCommerce, type ShopOrder } from "@tillkit/woocommerce/fake";
import { type HeldWebhooks, holdWebhooks } from "./hold-back.ts";
import type { Addresses, Asked, Told } from "./surroundings-words.ts";

const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
const fake = await createFakeWooCommerce();
const apiKey = sandbox.keys.test.secret;
let orders: readonly ShopOrder[] = [];
let held: HeldWebhooks | null = null;

process.on("message", (asked: Asked) => {
  void answer(asked).then((told) => process.send?.(told));
});
process.on("disconnect", async () => {
  held?.close();
  await fake.close();
  await sandbox.close();
});

const { url: shopUrl, consumerKey, consumerSecret } = fake;
const addresses: Addresses = { serviceUrl: sandbox.baseUrl, apiKey, shopUrl, consumerKey, consumerSecret };
process.send?.(addresses);

async function answer(asked: Asked): Promise<Told[Asked["ask"]]> {
  switch (asked.ask) {
    case "connect":
      return await connect(asked);
    case "place": {
      fake.faults.setLatency(asked.latencyMs);
      orders = Array.from({ length: asked.orders }, (_, index) =>
        fake.shop.placeOrder({ total: String(1_000 + index) }),
      );
      return { orderIds: orders.map(({ id }) => id), payLinks: orders.map(({ id }) => fake.payLink(id)) };
    }
    case "pay":
      await Promise.all(asked.sessions.map(pay));
      return { paid: asked.sessions.length };
    case "look":
      return {
        effects: fake.shop.effects,
        handedOnAt: held?.handedOnAt() ?? null,
        wrong: orders.filter(isWrong).length,
      };
  }
}

async function connect(asked: Extract<Asked, { ask: "connect" }>): Promise<Told["connect"]> {
  const { companionUrl, storeId, linkSecret, holdBack } = asked;
  fake.setPlugin({ companionUrl, storeId, linkSecret });
  const path = `/hooks/service/${storeId}`;
  if (holdBack > 0) held = await holdWebhooks(companionUrl, path, holdBack);
  const client = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const url = held?.url ?? companionUrl + path;
  const { data } = await client.webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] });
  return { webhookSecret: data.secret ?? "" };
}

async function pay(session: string): Promise<void> {
  await sandbox.control.paySession(session, { method: "card", outcome: "completed" });
}

function isWrong({ id }: ShopOrder): boolean {
  return fake.shop.stockTaken(id) !== 1 || fake.shop.order(id)?.status !== "processing";
}
