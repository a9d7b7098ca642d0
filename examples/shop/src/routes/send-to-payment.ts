import type { CheckoutError } from "@tillkit/core";
import type { Response } from "express";
import { findOrder } from "../orders.ts";
import { toCheckoutOrder } from "../shop-adapter.ts";
import type { RouteContext } from "./route-context.ts";

/** To the hosted page, or back to the order's own page when there is nothing to pay or nobody to pay with. */
export async function sendToPayment(context: RouteContext, response: Response, key: string): Promise<void> {
  const order = await findOrder(context.shop.db, { key });
  if (!order) return response.redirect(303, "/cart");
  const page = `/orders/${key}`;
  try {
    const start = await context.checkout.startCheckout(toCheckoutOrder(order, context.environment));
    response.redirect(303, start.status === "redirect" ? start.url : page);
  } catch (error) {
    if (!isCheckoutError(error)) throw error;
    // Cancelled or sold out meanwhile: the order's page says so by itself. Everything else is worth another try.
    response.redirect(303, error.code === "order_not_payable" ? page : `${page}?outcome=unavailable`);
  }
}

// By name: two copies of the class can meet.
function isCheckoutError(error: unknown): error is CheckoutError {
  return error instanceof Error && error.name === "CheckoutError";
}
