import type { CheckoutServer } from "@tillkit/server";
import { Hono } from "hono";

/** Hono: the checkout under `/checkout`, before any middleware that reads a body. */
export function mountOnHono(checkout: Pick<CheckoutServer, "fetch">): Hono {
  const app = new Hono();
  app.all("/checkout/*", (context) => checkout.fetch(context.req.raw));
  return app;
}
