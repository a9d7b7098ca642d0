export {
  type AfterReturn,
  type CompleteAfterReturn,
  completeAfterReturn,
} from "./storefront/complete-after-return.ts";
export { type CartWithSessions, checkoutUrlOf, redirectToCheckout } from "./storefront/redirect-to-checkout.ts";
