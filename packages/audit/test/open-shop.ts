import { createServiceClient, type ServiceClient } from "@tillkit/client";
import { systemClock } from "@tillkit/core";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import type { Audit } from "../src/audit.ts";
import type { Progress } from "../src/readers/reader.ts";
import { createServiceReader } from "../src/readers/service/read-service.ts";
import { createWooCommerceReader } from "../src/readers/woocommerce.ts";
import { runAudit } from "../src/run-audit.ts";
import { type FactStore, openFactStore } from "../src/store/fact-store.ts";

/** A WooCommerce shop with a plug-in of the service that is none of ours: order id in the metadata, transaction id on the order. */
export type OpenShop = {
  readonly sandbox: Sandbox;
  readonly service: ServiceClient;
  readonly woo: FakeWooCommerce;
  readonly store: FactStore;
  /** A shopper orders and pays; `returns` is what the plug-in does with the news. */
  buy(
    total: number,
    options?: { readonly hears?: boolean; readonly names?: boolean; readonly method?: "wave" | "card" },
  ): Promise<{ order: number; transaction: string }>;
  audit(at?: number, signal?: AbortSignal, onProgress?: (progress: Progress) => void): Promise<Audit>;
  close(): Promise<void>;
};

const HOUR = 3_600_000;

export async function openShop(): Promise<OpenShop> {
  const openedAt = Date.now();
  const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
  const woo = await createFakeWooCommerce({ decimals: 0 });
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const store = await openFactStore("sqlite::memory:");
  return {
    sandbox,
    service,
    woo,
    store,
    async buy(total, { hears = true, names = true, method = "wave" } = {}) {
      const order = woo.shop.placeOrder({ total: String(total), paymentMethod: "service_gateway" });
      const metadata = names ? { order_id: String(order.id) } : {};
      const body = { amount: total, currency_code: "XOF" as const, title: "Order", metadata };
      const { data } = await service.checkoutSessions.create(body);
      const paid = await sandbox.control.paySession(data.id, { method, outcome: "completed" });
      const transaction = String(paid.transaction_id);
      if (hears) woo.shop.complete(order, transaction);
      return { order: order.id, transaction };
    },
    audit(at = openedAt + HOUR, signal = new AbortController().signal, onProgress = () => undefined) {
      return runAudit({
        from: at - 90 * 86_400_000,
        until: at,
        now: at,
        store,
        clock: systemClock,
        signal,
        onProgress,
        movements: [createServiceReader({ baseUrl: sandbox.baseUrl, secretKey: sandbox.keys.test.secret })],
        shops: [
          createWooCommerceReader({
            shop: "boutique",
            url: woo.url,
            consumerKey: woo.consumerKey,
            consumerSecret: woo.consumerSecret,
          }),
        ],
      });
    },
    async close() {
      await store.close();
      await woo.close();
      await sandbox.close();
    },
  };
}
