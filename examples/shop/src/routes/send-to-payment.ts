import type { CheckoutError } from "@tillkit/core";
import type { Response } from "express";
import { findOrder } from "../orders.ts";
import { toCheckoutOrder } from "../shop-adapter.ts";
import type { RouteContext } from "./route-context.ts";

/** Redirects to the hosted page, or to the order page if the order cannot be paid or the service is unavailable. */
export async function sendToPayment(context: RouteContext, response: Response, key: string): Promise<void> {
  const order = await findOrder(context.shop.db, { key });
  if (!order) return response.redirect(303, "/cart");
  const page = `/orders/${key}`;
  try {
    const start = await context.checkout.startCheckout(toCheckoutOrder(order, context.environment));
    response.redirect(303, start.status === "redirect" ? start.url : page);
  } catch (error) {
    if (!isCheckoutError(error)) throw error;
    // The order page shows a cancelled or sold-out order. After any other error the shopper can try again.
    response.redirect(303, error.code === "order_not_payable" ? page : `${page}?outcome=unavailable`);
  }
}

// Compare by name, because the process can contain two copies of the class.
function isCheckoutError(error: unknown): error is CheckoutError {
  return error instanceof Error && error.name === "CheckoutError";
}
