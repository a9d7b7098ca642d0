import type { CheckoutServer } from "@tillkit/server";

/**
 * Next.js: `app/checkout/[...path]/route.ts` exports these functions, and `export const dynamic = "force-dynamic"` beside them.
 * A route handler gets a standard Request whose body nobody has read.
 */
export function routeHandlersForNext(checkout: Pick<CheckoutServer, "fetch">) {
  const handle = (request: Request) => checkout.fetch(request);
  return { GET: handle, HEAD: handle, POST: handle };
}
