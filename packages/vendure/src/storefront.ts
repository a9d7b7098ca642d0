export {
  type CheckoutAnswer,
  createCheckout,
  redirectToCheckout,
  type ShopApi,
} from "./storefront/redirect-to-checkout.ts";
