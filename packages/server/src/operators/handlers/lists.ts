import { PAYMENT_STATES, type PaymentState } from "@tillkit/core";
import { findNeedsAttention } from "../../attention/needs-attention.ts";
import { serverLimits } from "../../limits.ts";
import { DELIVERY_KINDS, deadJobsPage, deliveriesPage, foundPage, paymentsPage } from "../pages/list-pages.ts";
import { overviewPage } from "../pages/overview-page.ts";
import { findByPublicId } from "./find-by-public-id.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";

const limit = serverLimits.rowsPerPage;

export async function showOverview({
  engine,
  ledger,
  count,
  context,
  query,
}: OperatorRequest): Promise<OperatorResponse> {
  const [counts, stuck] = await Promise.all([count(), findNeedsAttention(engine, ledger, context.language)]);
  return pageResponse(overviewPage({ counts, stuck, down: engine.circuitBreakers.list(), query }, context));
}

export async function showPayments({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const state: PaymentState | null = PAYMENT_STATES.find((one) => one === query.state) ?? null;
  const page = await ledger.listPayments({ limit, ...pageOf(query), ...(state === null ? {} : { states: [state] }) });
  return pageResponse(paymentsPage({ page, after: query.after ?? null }, state, context));
}

export async function showDeliveries({ ledger, count, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const kind = DELIVERY_KINDS.find((one) => one === query.outcome) ?? null;
  const [page, { deliveries: counts }] = await Promise.all([
    ledger.listDeliveries({ limit, ...pageOf(query), ...(kind === null ? {} : { outcome: kind }) }),
    count(),
  ]);
  return pageResponse(deliveriesPage({ page, after: query.after ?? null }, kind, counts, context));
}

export async function showDeadJobs({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const page = await ledger.listJobs({ dead: true, limit, ...pageOf(query) });
  return pageResponse(deadJobsPage({ page, after: query.after ?? null }, query, context));
}

/** Searches by the number of an order, a payment, a session or a transaction, with or without prefix. A single result opens directly. */
export async function findPayment(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, context, query } = request;
  const searched = (query.q ?? "").trim();
  const one =
    (await ledger.find({ id: searched })) ??
    (await ledger.find({ transactionId: searched })) ??
    (await ledger.find({ sessionId: searched })) ??
    (await findByPublicId(engine, ledger, searched));
  if (one) return redirectTo(request, paymentPath(one));
  const { rows } = await ledger.listPayments({ orderId: searched, limit });
  const [first, ...others] = rows;
  return first && others.length === 0
    ? redirectTo(request, paymentPath(first))
    : pageResponse(foundPage(rows, searched, context), rows.length === 0 ? 404 : 200);
}

function pageOf({ after }: OperatorRequest["query"]): { after?: string } {
  return after === undefined ? {} : { after };
}
