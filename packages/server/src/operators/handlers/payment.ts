import { explainPayment, type Payment, type TimelineEntry } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { webUrl } from "../../pages/web-url.ts";
import { paymentPage } from "../pages/payment-page.ts";
import { viewOf } from "./decide.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, paymentNotFound } from "./operator-request.ts";

export async function showPayment(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, context, id: paymentId, query } = request;
  const payment = await ledger.find({ id: paymentId });
  if (!payment) return paymentNotFound(request);
  const limit = serverLimits.rowsPerPage;
  const [explanation, timeline, details, adminUrl, view, jobs, deliveries, ofOrder] = await Promise.all([
    explainPayment(engine, { paymentId }, context.language, "operator"),
    ledger.timeline({ paymentId }),
    ledger.transactionDetails(paymentId),
    adminUrlOf(request, payment),
    viewOf(request, payment),
    ledger.listJobs({ paymentId, limit }),
    ledger.listDeliveries({ paymentId, limit }),
    ledger.paymentsOfOrder(payment.ref),
  ]);
  const others = ofOrder.filter(({ id }) => id !== paymentId);
  const rows = { jobs: jobs.rows, deliveries: deliveries.rows, others };
  const now = engine.clock.now();
  return pageResponse(
    paymentPage({ view, namedBy: namedBy(timeline), explanation, details, adminUrl, ...rows, now, query }, context),
  );
}

// The page must open also when the shop was removed from this server.
async function adminUrlOf({ engine }: OperatorRequest, { ref }: Payment): Promise<string | null> {
  return await engine.store(ref.storeId).then(
    (store) => webUrl(store.adminUrl?.(ref) ?? null),
    () => null,
  );
}

function namedBy(timeline: readonly TimelineEntry[]): ReadonlyMap<string, string> {
  const named = timeline.filter((entry) => entry.kind === "transaction_named");
  return new Map(named.map(({ by, transactionId }) => [transactionId, by]));
}
