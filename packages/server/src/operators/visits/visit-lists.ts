import { PAYMENT_STATES, type PaymentState } from "@tillkit/core";
import { hostLimits } from "../../limits.ts";
import { goTo, type OperatorReply, type OperatorVisit, pathOf, showOperatorPage } from "../operator-visit.ts";
import { DELIVERY_KINDS, deadPage, deliveriesPage, foundPage, paymentsPage } from "../pages/list-pages.ts";
import { overviewPage } from "../pages/overview-page.ts";
import { findStuck } from "../stuck.ts";

const limit = hostLimits.pageRows;

export async function visitOverview({ engine, ledger, count, look, query }: OperatorVisit): Promise<OperatorReply> {
  const [counts, stuck] = await Promise.all([count(), findStuck(engine, ledger, look.language)]);
  return showOperatorPage(overviewPage({ counts, stuck, down: engine.circuitBreakers.list(), query }, look));
}

export async function visitPayments({ ledger, look, query }: OperatorVisit): Promise<OperatorReply> {
  const state: PaymentState | null = PAYMENT_STATES.find((one) => one === query.state) ?? null;
  const page = await ledger.listPayments({ limit, ...pageOf(query), ...(state === null ? {} : { states: [state] }) });
  return showOperatorPage(paymentsPage({ page, after: query.after ?? null }, state, look));
}

export async function visitDeliveries({ ledger, count, look, query }: OperatorVisit): Promise<OperatorReply> {
  const kind = DELIVERY_KINDS.find((one) => one === query.outcome) ?? null;
  const [page, { deliveries: counts }] = await Promise.all([
    ledger.listDeliveries({ limit, ...pageOf(query), ...(kind === null ? {} : { outcome: kind }) }),
    count(),
  ]);
  return showOperatorPage(deliveriesPage({ page, after: query.after ?? null }, kind, counts, look));
}

export async function visitDead({ ledger, look, query }: OperatorVisit): Promise<OperatorReply> {
  const page = await ledger.listJobs({ dead: true, limit, ...pageOf(query) });
  return showOperatorPage(deadPage({ page, after: query.after ?? null }, query, look));
}

/** By the number of an order, a payment, a session or a transaction. Exactly one payment opens at once. */
export async function visitFind(visit: OperatorVisit): Promise<OperatorReply> {
  const { ledger, look, query } = visit;
  const searched = (query.q ?? "").trim();
  const one =
    (await ledger.find({ id: searched })) ??
    (await ledger.find({ transactionId: searched })) ??
    (await ledger.find({ sessionId: searched }));
  if (one) return goTo(visit, pathOf(one));
  const { rows } = await ledger.listPayments({ orderId: searched, limit });
  const [first, ...others] = rows;
  return first && others.length === 0
    ? goTo(visit, pathOf(first))
    : showOperatorPage(foundPage(rows, searched, look), rows.length === 0 ? 404 : 200);
}

function pageOf({ after }: OperatorVisit["query"]): { after?: string } {
  return after === undefined ? {} : { after };
}
