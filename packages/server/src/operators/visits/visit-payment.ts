import { explainPayment } from "@tillkit/core";
import { hostLimits } from "../../limits.ts";
import { html } from "../../pages/html.ts";
import { type OperatorReply, type OperatorVisit, showOperatorPage } from "../operator-visit.ts";
import { paymentPage } from "../pages/payment-page.ts";

export async function visitPayment(visit: OperatorVisit): Promise<OperatorReply> {
  const { engine, ledger, look, id: paymentId, query } = visit;
  const payment = await ledger.find({ id: paymentId });
  if (!payment) return noPayment(visit);
  const limit = hostLimits.pageRows;
  const [explanation, refunds, disputes, jobs, deliveries, siblings] = await Promise.all([
    explainPayment(engine, { paymentId }, look.language),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
    ledger.listJobs({ paymentId, limit }),
    ledger.listDeliveries({ paymentId, limit }),
    ledger.siblings(payment.ref),
  ]);
  const others = siblings.filter(({ id }) => id !== paymentId);
  const known = { payment, explanation, refunds, disputes, jobs: jobs.rows, deliveries: deliveries.rows, others };
  const dossier = { ...known, now: engine.clock.now(), query };
  return showOperatorPage(paymentPage(dossier, look));
}

export function noPayment({ look }: OperatorVisit): OperatorReply {
  const title = look.words.payment.gone;
  return showOperatorPage({ title, body: html`<h1>${title}</h1>`, here: null }, 404);
}
