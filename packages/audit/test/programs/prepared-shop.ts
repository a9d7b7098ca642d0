// A WooCommerce shop and the service on this machine, with a month of orders in which seven things are wrong. Prints what
// `tillkit audit` needs as one line of JSON, and runs until it is stopped. For a first try, and for the picture of the report.

import { createServiceClient } from "@tillkit/client";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createSandbox } from "@tillkit/sandbox";
import { createManualTime } from "./manual-time.ts";

const DAY = 86_400_000;
const DAYS = 30;

const time = createManualTime(Date.now() - DAYS * DAY);
const sandbox = await createSandbox({ clock: time.clock });
const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
const woo = await createFakeWooCommerce({ decimals: 0, clock: time.clock });
const { shop } = woo;

async function buy(total: number, hears = true) {
  const order = shop.placeOrder({ total: String(total), paymentMethod: "service_gateway" });
  const body = {
    amount: total,
    currency_code: "XOF" as const,
    title: `Order ${order.id}`,
    metadata: { order_id: String(order.id) },
  };
  const { data } = await service.checkoutSessions.create(body);
  const paid = await sandbox.control.paySession(data.id, { method: "card", outcome: "completed" });
  const transaction = String(paid.transaction_id);
  if (hears) shop.complete(order, transaction);
  return { order, transaction };
}

const faults: Readonly<Record<number, () => Promise<unknown>>> = {
  4: () => buy(18_500, false),
  9: async () => {
    const { transaction } = await buy(22_000);
    await service.refunds.create({ transaction_id: transaction, amount: 7_000, reason: "broken" });
  },
  13: async () => shop.edit((await buy(9_900)).order.id, { status: "cancelled" }),
  16: async () => {
    const forged = shop.placeOrder({ total: "31000", paymentMethod: "service_gateway" });
    shop.edit(forged.id, { status: "processing" });
  },
  19: async () => shop.addRefund((await buy(15_000)).order.id, { amount: "4000", reason: "", meta: {} }),
  23: async () => shop.remove((await buy(12_700)).order.id),
  26: async () => {
    const { order } = await buy(14_000);
    const { data } = await service.checkoutSessions.create({
      amount: 14_000,
      currency_code: "XOF",
      title: "Again",
      metadata: { order_id: String(order.id) },
    });
    await sandbox.control.paySession(data.id, { method: "card", outcome: "completed" });
  },
};

for (let day = 0; day < DAYS; day += 1) {
  for (let number = 0; number < 3 + ((day * 5) % 4); number += 1)
    await buy(3_000 + ((day * 7_919 + number * 1_543) % 22_000));
  if (day % 3 === 0) shop.placeOrder({ total: "8000", paymentMethod: "cod", status: "processing" });
  await faults[day]?.();
  time.advance(DAY - 3_600_000);
}

console.log(
  JSON.stringify({
    SERVICE_BASE_URL: sandbox.baseUrl,
    SERVICE_SECRET_KEY: sandbox.keys.test.secret,
    WOOCOMMERCE_URL: woo.url,
    WOOCOMMERCE_KEY: woo.consumerKey,
    WOOCOMMERCE_SECRET: woo.consumerSecret,
  }),
);

process.once("SIGTERM", () => process.exit());
setInterval(() => undefined, DAY);
