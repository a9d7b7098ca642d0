export {
  createFakeWooCommerce,
  type FakeWooCommerce,
  type FakeWooCommerceOptions,
} from "./fake/fake-woocommerce.ts";
export type { Disturbance, Faults, WriteFault } from "./fake/faults.ts";
export type { Effect, OrderWish, Shop, ShopOrder, ShopRefund } from "./fake/shop.ts";
export type { ShopWebhooks } from "./fake/webhooks.ts";
