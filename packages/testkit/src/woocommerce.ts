export {
  createFakeWooCommerce,
  type FakeWooCommerce,
  type FakeWooCommerceOptions,
} from "./woocommerce/fake-woocommerce.ts";
export type { Disturbance, Faults, WriteFault } from "./woocommerce/faults.ts";
export type { Effect, OrderInput, Shop, ShopOrder, ShopRefund } from "./woocommerce/shop.ts";
export type { ShopWebhooks } from "./woocommerce/webhooks.ts";
