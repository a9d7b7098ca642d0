import { StoreError } from "@tillkit/core";

/**
 * Shopify denies one operation to an app whose token is valid: the plan of the shop, a scope or the approval for protected
 * customer data is missing. Nothing was executed. The shop stays connected, because its other operations still work.
 */
export class AccessDenied extends StoreError {
  constructor(operation: string) {
    super(
      "unavailable",
      `Shopify denies ${operation} to this app in this shop: check the app's access to protected customer data and its scopes.`,
    );
  }
}
