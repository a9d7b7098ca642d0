/**
 * A fault between an app and Shopify.
 *
 * `on`: the root field of a GraphQL operation, such as `paymentSessionResolve`, or `access_token`; by default every request.
 * `when`: before (the default) or after Shopify executes the request. `times`: 1 by default.
 */
export type ShopifyFault = {
  readonly on?: string;
  /** `acme.myshopify.com`; by default every shop. */
  readonly shop?: string;
  readonly when?: "before" | "after";
  readonly times?: number;
} & (
  | { readonly status: 401 | 402 | 403 | 404 | 423 | 429 | 500 | 502 | 503; readonly retryAfterSeconds?: number }
  /** The connection breaks. */
  | { readonly reset: true }
  /** No response comes. */
  | { readonly hang: true }
  /** The request is executed after this time of the clock, even when the caller no longer waits. */
  | { readonly delayMs: number }
  /** 200 with this error. */
  | { readonly error: "THROTTLED" | "INTERNAL_SERVER_ERROR" | "ACCESS_DENIED" }
  /** 200 with an HTML page. */
  | { readonly html: true }
);

export type ShopifyFaults = {
  /** The next matching request meets the fault. */
  add(fault: ShopifyFault): void;
  clear(): void;
  /** Uses the oldest matching fault once. */
  take(request: { readonly shop: string; readonly names: readonly string[] }): ShopifyFault | null;
};

export function createShopifyFaults(): ShopifyFaults {
  let activeFaults: { readonly fault: ShopifyFault; left: number }[] = [];
  return {
    add: (fault) => {
      activeFaults.push({ fault, left: fault.times ?? 1 });
    },
    clear: () => {
      activeFaults = [];
    },
    take({ shop, names }) {
      const hit = activeFaults.find(
        ({ fault }) =>
          (fault.on === undefined || names.includes(fault.on)) && (fault.shop === undefined || fault.shop === shop),
      );
      if (!hit) return null;
      hit.left -= 1;
      if (hit.left <= 0) activeFaults = activeFaults.filter((other) => other !== hit);
      return hit.fault;
    },
  };
}
