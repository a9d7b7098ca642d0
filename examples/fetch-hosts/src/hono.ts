import type { HttpBindings } from "@hono/node-server";
import type { CheckoutServer } from "@tillkit/server";
import { Hono } from "hono";

/** Hono: the checkout under `/checkout`, before any middleware that reads a body. On Node `env` knows the visitor's address. */
export function mountOnHono(checkout: Pick<CheckoutServer, "fetch">): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all("/checkout/*", (context) => checkout.fetch(context.req.raw, context.env));
  return app;
}
