import { getRequestListener } from "@hono/node-server";
import type { CheckoutServer } from "@tillkit/server";
import fastify, { type FastifyInstance } from "fastify";

/** Fastify: a hook that runs before Fastify parses a body. A plain route would get a body that a parser has changed. */
export function mountOnFastify(checkout: Pick<CheckoutServer, "fetch">): FastifyInstance {
  const app = fastify();
  // Without this option `getRequestListener` replaces Request and Response for the whole process.
  const handleCheckout = getRequestListener(checkout.fetch, { overrideGlobalObjects: false });
  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith("/checkout/")) return;
    reply.hijack();
    await handleCheckout(request.raw, reply.raw);
  });
  return app;
}
