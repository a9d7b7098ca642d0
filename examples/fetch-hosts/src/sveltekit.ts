import type { CheckoutServer } from "@tillkit/server";

/**
 * SvelteKit: `src/routes/checkout/[...path]/+server.ts` exports this `fallback`, which answers every method. SvelteKit refuses forms of
 * other origins itself (`csrf`); the service's webhooks are JSON and pass.
 */
export function serverRouteForSvelteKit(checkout: Pick<CheckoutServer, "fetch">) {
  return { fallback: ({ request }: { readonly request: Request }) => checkout.fetch(request) };
}
