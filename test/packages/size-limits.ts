/**
 * The most kilobytes (1,000 bytes, minified, gzip) that importing everything of an entry may cost, with our own packages in it and
 * without libraries of others. Raise a limit only with a reason in the change file: shops pay for it at every start.
 */
export const sizeLimits: Readonly<Record<string, number>> = {
  "@tillkit/client": 15,
  "@tillkit/client/endpoints": 1.2,
  "@tillkit/client/schemas": 6.2,
  "@tillkit/client/webhooks": 3.5,
  "@tillkit/client/fetch": 14,
  "@tillkit/client/webhooks/web": 3.6,
  "@tillkit/core": 74,
  "@tillkit/core/memory": 12.7,
  "@tillkit/ledger": 33.6,
  "@tillkit/medusa": 16,
  "@tillkit/medusa/storefront": 1.1,
  "@tillkit/runtime": 59,
  "@tillkit/sandbox": 119,
  "@tillkit/server": 144,
  "@tillkit/server/config": 6.5,
  "@tillkit/shopify": 221,
  "@tillkit/sql": 7.1,
  "@tillkit/testkit": 20.2,
  "@tillkit/testkit/vitest": 35.5,
  "@tillkit/testkit/checkout-harness": 181,
  "@tillkit/testkit/simulator": 94.5,
  "@tillkit/vendure": 189.5,
  "@tillkit/vendure/storefront": 0.5,
  "@tillkit/woocommerce": 206.5,
  "create-tillkit": 18,
};
