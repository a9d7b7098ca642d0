import { createServer, type Server } from "node:http";
import express from "express";
import { checkoutPath } from "../checkout.ts";
import type { Site } from "../pages.ts";

// #region mount
/** The shop and Tillkit's routes on Express. */
export function createHost({ pages, checkout }: Site): Server {
  const app = express().disable("x-powered-by");
  app.use(checkoutPath, checkout.router);
  app.get("/", async (_request, response) => void response.send(await pages.home()));
  app.get("/orders/:id", async (request, response) => {
    const { problem } = request.query;
    const page = await pages.order(request.params.id, typeof problem === "string" ? problem : null);
    response.status(page === null ? 404 : 200).send(page ?? pages.missing);
  });
  app.post("/orders/:id/pay", async (request, response) => {
    response.redirect(303, (await pages.pay(request.params.id)) ?? "/");
  });
  // Webhooks are answered before Express: no parser that you add later can change their bytes.
  return createServer(checkout.listener(app));
}
// #endregion mount
