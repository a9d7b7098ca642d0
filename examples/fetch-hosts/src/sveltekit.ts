import type { CheckoutServer } from "@tillkit/server";

/**
 * SvelteKit: `src/routes/checkout/[...path]/+server.ts` exports this `fallback`, which answers every method. SvelteKit refuses forms of
 * other origins itself (`csrf`); the service's webhooks are JSON and pass.
 */
export function serverRouteForSvelteKit(checkout: Pick<CheckoutServer, "fetch">) {
  return {
    fallback: ({ request, getClientAddress }: { readonly request: Request; readonly getClientAddress: () => string }) =>
      checkout.fetch(request, { address: getClientAddress() }),
  };
}
