import { explainPayment } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { html } from "../../pages/html.ts";
import { paymentPage } from "../pages/payment-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";

export async function showPayment(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, context, id: paymentId, query } = request;
  const payment = await ledger.find({ id: paymentId });
  if (!payment) return paymentNotFound(request);
  const limit = serverLimits.rowsPerPage;
  const [explanation, refunds, disputes, jobs, deliveries, ofOrder] = await Promise.all([
    explainPayment(engine, { paymentId }, context.language),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
    ledger.listJobs({ paymentId, limit }),
    ledger.listDeliveries({ paymentId, limit }),
    ledger.paymentsOfOrder(payment.ref),
  ]);
  const others = ofOrder.filter(({ id }) => id !== paymentId);
  const known = { payment, explanation, refunds, disputes, jobs: jobs.rows, deliveries: deliveries.rows, others };
  const details = { ...known, now: engine.clock.now(), query };
  return pageResponse(paymentPage(details, context));
}

export function paymentNotFound({ context }: OperatorRequest): OperatorResponse {
  const title = context.texts.payment.notFound;
  return pageResponse({ title, body: html`<h1>${title}</h1>`, menuItem: null }, 404);
}
