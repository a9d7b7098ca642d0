export { type CheckoutResult, type CompleteCheckoutOptions, completeCheckout } from "./storefront/complete-checkout.ts";
export { type CartWithSessions, checkoutUrlOf, redirectToCheckout } from "./storefront/redirect-to-checkout.ts";
