export {
  createFakeWooCommerce,
  type FakeWooCommerce,
  type FakeWooCommerceOptions,
} from "./fake-woocommerce.ts";
export type { Disturbance, Faults, WriteFault } from "./faults.ts";
export type { Effect, OrderInput, Shop, ShopOrder, ShopRefund } from "./shop.ts";
export type { ShopWebhooks } from "./webhooks.ts";
