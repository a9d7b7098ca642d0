import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { checkoutPath } from "../checkout.ts";
import type { Site } from "../pages.ts";

// #region mount
/** The shop and Tillkit's routes on Hono. */
export function createHost({ pages, checkout }: Site): Server {
  const app = new Hono();
  // This route comes before any middleware that reads a body, so a webhook keeps its exact bytes.
  app.all(`${checkoutPath}/*`, (context) => checkout.fetch(context.req.raw));
  app.get("/", async (context) => context.html(await pages.home()));
  app.get("/orders/:id", async (context) => {
    const page = await pages.order(context.req.param("id"), context.req.query("problem"));
    return context.html(page ?? pages.missing, page === null ? 404 : 200);
  });
  app.post("/orders/:id/pay", async (context) =>
    context.redirect((await pages.pay(context.req.param("id"))) ?? "/", 303),
  );
  return createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
}
// #endregion mount
