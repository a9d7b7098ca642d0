export { type CheckoutResult, type CompleteCheckoutOptions, completeCheckout } from "./storefront/complete-checkout.ts";
export {
  type CartWithSessions,
  checkoutUrlOf,
  isActiveSession,
  openCheckout,
  paymentChoice,
  redirectToCheckout,
  type StoreSession,
} from "./storefront/redirect-to-checkout.ts";
