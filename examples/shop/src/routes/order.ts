import { explainPayment, type PaymentLedger, watchPayment } from "@tillkit/core";
import { Router } from "express";
import { mayStillChange, orderStatus, paymentToShow } from "../order-status.ts";
import { findOrder } from "../orders.ts";
import { type OrderView, orderPage } from "../pages/order-page.ts";
import { STORE_ID } from "../shop-adapter.ts";
import { type RouteContext, showPage, showProblem, visitOf } from "./route-context.ts";
import { sendToPayment } from "./send-to-payment.ts";

/** The order page. Its address alone opens it in any browser. */
export function orderRoutes(context: RouteContext): Router {
  const { shop, checkout } = context;
  const routes = Router();

  routes.get("/orders/:key", async (request, response) => {
    const visit = visitOf(context, request, response);
    const summary = await summarizeOrder(context, request.params.key, String(request.query.outcome ?? ""));
    if (!summary) return showProblem(response, visit, "notFound");
    const ref = { storeId: STORE_ID, orderId: summary.order.id };
    const timeline = await explainPayment(checkout.engine, { ref }, visit.language);
    showPage(response, visit, orderPage(visit, { ...summary, timeline: timeline.entries }));
  });

  routes.get("/orders/:key/state", async (request, response) => {
    const summary = await summarizeOrder(context, request.params.key, String(request.query.outcome ?? ""));
    response
      .status(summary ? 200 : 404)
      .type("text")
      .send(summary?.status ?? "");
  });

  routes.post("/orders/:key/pay", async (request, response) => {
    const order = await findOrder(shop.db, { key: request.params.key });
    if (!order) return showProblem(response, visitOf(context, request, response), "notFound");
    await sendToPayment(context, response, order.key);
  });

  return routes;
}

type OrderSummary = Omit<OrderView, "timeline">;

async function summarizeOrder(
  { shop, checkout }: RouteContext,
  key: string,
  outcome: string,
): Promise<OrderSummary | null> {
  const order = await findOrder(shop.db, { key });
  if (!order) return null;
  const payments = await checkout.engine.ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: order.id });
  const payment = paymentToShow(order, payments);
  // A page view reads the ledger. watchPayment limits the calls to the service, however many pages are open.
  const paymentStatus = payment && (await watchPayment(checkout.engine, payment.id));
  const declined = payment !== null && (await hasFailedAttempt(checkout.engine.ledger, payment.id));
  const status = orderStatus({ order, paymentStatus, declined, outcome });
  const paidTwice = payments.some(({ state }) => state === "duplicate");
  return { order, status, paidTwice, mayStillChange: mayStillChange(paymentStatus) };
}

async function hasFailedAttempt(ledger: PaymentLedger, paymentId: string): Promise<boolean> {
  return (await ledger.timeline({ paymentId })).some(({ kind }) => kind === "attempt_failed");
}
