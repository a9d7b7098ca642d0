import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import fastify from "fastify";
import { checkoutPath } from "../checkout.ts";
import type { Site } from "../pages.ts";

// #region mount
/** The shop and Tillkit's routes on Fastify. */
export async function createHost({ pages, checkout }: Site): Promise<Server> {
  const app = fastify();
  const handleCheckout = getRequestListener(checkout.fetch, { overrideGlobalObjects: false });
  // This hook runs before Fastify parses a body, so a webhook keeps its exact bytes.
  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith(`${checkoutPath}/`)) return;
    reply.hijack();
    await handleCheckout(request.raw, reply.raw);
  });
  // The pay button sends an empty form, and Fastify has no parser for forms.
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, _body, done) =>
    done(null),
  );
  app.get("/", async (_request, reply) => reply.type("text/html").send(await pages.home()));
  app.get<{ Params: { id: string }; Querystring: { problem?: string } }>("/orders/:id", async (request, reply) => {
    const page = await pages.order(request.params.id, request.query.problem);
    return reply
      .code(page === null ? 404 : 200)
      .type("text/html")
      .send(page ?? pages.missing);
  });
  app.post<{ Params: { id: string } }>("/orders/:id/pay", async (request, reply) =>
    reply.redirect((await pages.pay(request.params.id)) ?? "/", 303),
  );
  await app.ready();
  return app.server;
}
// #endregion mount
