import type { CheckoutServer } from "@tillkit/server";
import { defineEventHandler, type EventHandler, getRequestURL, readRawBody } from "h3";

/**
 * Nitro 2 and Nuxt: `server/routes/checkout/[...path].ts` exports this handler as default. `readRawBody` returns the exact bytes, also
 * when a middleware has read the body before. `toWebRequest` is no alternative: its stream throws an uncaught error when the
 * answer comes before the end of the request.
 */
export function eventHandlerForNitro(checkout: Pick<CheckoutServer, "fetch">): EventHandler {
  return defineEventHandler(async (event) => {
    const { method, headers } = event;
    const bytes = method === "POST" ? await readRawBody(event, false) : undefined;
    const body = bytes === undefined ? {} : { body: new Uint8Array(bytes) };
    return await checkout.fetch(new Request(getRequestURL(event), { method, headers, ...body }), {
      incoming: event.node.req,
    });
  });
}
