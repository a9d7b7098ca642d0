/**
 * What goes wrong between an app and Shopify.
 *
 * `on`: the root field of the GraphQL operation (`paymentSessionResolve`) or `access_token`; anything unless set.
 * `when`: before Shopify did it, the default, or after. `times`: 1 unless set.
 */
export type ShopifyFault = {
  readonly on?: string;
  /** `acme.myshopify.com`; any shop unless set. */
  readonly shop?: string;
  readonly when?: "before" | "after";
  readonly times?: number;
} & (
  | { readonly status: 401 | 402 | 403 | 404 | 423 | 429 | 500 | 502 | 503; readonly retryAfterSeconds?: number }
  /** The connection breaks. */
  | { readonly reset: true }
  /** No answer, ever. */
  | { readonly hang: true }
  /** It is under way that long, in the simulator's time, whether or not the caller still waits. */
  | { readonly delayMs: number }
  /** 200 with this error. */
  | { readonly error: "THROTTLED" | "INTERNAL_SERVER_ERROR" }
  /** 200 with a page that is no JSON. */
  | { readonly html: true }
);

export type ShopifyFaults = {
  /** The next request that fits meets it. */
  add(fault: ShopifyFault): void;
  clear(): void;
  /** The oldest fault that fits, used up by one. */
  take(request: { readonly shop: string; readonly names: readonly string[] }): ShopifyFault | null;
};

export function createShopifyFaults(): ShopifyFaults {
  let waiting: { readonly fault: ShopifyFault; left: number }[] = [];
  return {
    add: (fault) => {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    clear: () => {
      waiting = [];
    },
    take({ shop, names }) {
      const hit = waiting.find(
        ({ fault }) =>
          (fault.on === undefined || names.includes(fault.on)) && (fault.shop === undefined || fault.shop === shop),
      );
      if (!hit) return null;
      hit.left -= 1;
      if (hit.left <= 0) waiting = waiting.filter((other) => other !== hit);
      return hit.fault;
    },
  };
}
