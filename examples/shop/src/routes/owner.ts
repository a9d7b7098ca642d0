import { CheckoutError, type Money, parseTypedAmount, refundPayment } from "@tillkit/core";
import { type Request, Router } from "express";
import { changeOrder, findOrder, isOrderKey, listOrders, type ShopOrder } from "../orders.ts";
import { ownerPage } from "../pages/owner-page.ts";
import { STORE_ID } from "../shop-adapter.ts";
import type { Visit } from "../visit.ts";
import { type RouteContext, readField, showPage, showProblem, visitOf } from "./route-context.ts";

const MAX_ORDERS = 50;

/** The owner's page of the demo. It has no password, so it opens on this machine only. */
export function ownerRoutes(context: RouteContext): Router {
  const { shop, checkout } = context;
  const routes = Router();

  routes.use("/owner", (request, response, next) => {
    if (isFromThisMachine(request)) next();
    else showProblem(response, visitOf(context, request, response), "notFound");
  });

  routes.get("/owner", async (request, response) => {
    const visit = visitOf(context, request, response);
    const orders = await listOrders(shop.db, MAX_ORDERS);
    const rows = await Promise.all(
      orders.map(async (order) => {
        const payments = await checkout.engine.ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: order.id });
        return { order, payments };
      }),
    );
    showPage(response, visit, ownerPage(visit, rows, problemText(visit, request)));
  });

  routes.post("/owner/:id/total", async (request, response) => {
    const order = await findOrder(shop.db, { id: request.params.id });
    if (!order) return showProblem(response, visitOf(context, request, response), "notFound");
    const total = readAmount(readField(request, "total"), order.total.currency);
    if (!total) return response.redirect(303, "/owner?problem=total");
    const changed = await changeOrder(shop.db, order.id, { total });
    response.redirect(303, changed ? "/owner" : "/owner?problem=late");
  });

  routes.post("/owner/:id/cancel", async (request, response) => {
    const changed = await changeOrder(shop.db, request.params.id, { state: "cancelled" });
    response.redirect(303, changed ? "/owner" : "/owner?problem=late");
  });

  routes.post("/owner/:id/refund", async (request, response) => {
    const order = await findOrder(shop.db, { id: request.params.id });
    if (!order?.paymentId) return showProblem(response, visitOf(context, request, response), "notFound");
    const problem = await refund(context, order, {
      key: readField(request, "key"),
      amount: readField(request, "amount"),
    });
    response.redirect(303, problem === null ? "/owner" : `/owner?problem=${problem}`);
  });

  return routes;
}

// Tillkit sends the refund, and reports it to `recordRefund` of the adapter, which stores it. Returns the problem for the page.
async function refund(
  { checkout }: RouteContext,
  { id, paymentId, total }: ShopOrder,
  form: { readonly key: string; readonly amount: string },
): Promise<"refund" | "waits" | null> {
  const amount = readAmount(form.amount, total.currency);
  // The form made the key with `newOrderKey`.
  if (!amount || !isOrderKey(form.key)) return "refund";
  const request = { paymentId: paymentId ?? "", key: `${STORE_ID}:${id}:${form.key}`, amount, by: "owner" };
  try {
    const { state } = await refundPayment(checkout.engine, { ...request, origin: "tillkit" });
    if (state === "failed") return "refund";
    return state === "completed" ? null : "waits";
  } catch (error) {
    return error instanceof CheckoutError && error.retryable ? "waits" : "refund";
  }
}

function problemText({ messages }: Visit, { query }: Request): string | null {
  const texts = new Map([
    ["total", messages.ownerBadTotal],
    ["late", messages.ownerTooLate],
    ["refund", messages.ownerBadRefund],
    ["waits", messages.ownerRefundWaits],
  ]);
  return texts.get(String(query.problem)) ?? null;
}

/** Both the socket and the Host header must be local, which excludes another site whose name points to 127.0.0.1 (DNS rebinding). */
function isFromThisMachine(request: Request): boolean {
  const peer = request.socket.remoteAddress ?? "";
  const isLocalPeer = peer === "::1" || peer.replace(/^::ffff:/, "").startsWith("127.");
  return isLocalPeer && ["127.0.0.1", "localhost", "[::1]", "::1"].includes(request.hostname);
}

function readAmount(text: string, currency: string): Money | null {
  try {
    const amount = parseTypedAmount(text, currency);
    return amount.minor > 0 ? amount : null;
  } catch {
    return null;
  }
}
