export { type CheckoutResult, type CompleteCheckoutOptions, completeCheckout } from "./storefront/complete-checkout.ts";
export {
  type CartWithSessions,
  checkoutUrlOf,
  isActiveSession,
  redirectToCheckout,
  type StoreSession,
} from "./storefront/redirect-to-checkout.ts";
