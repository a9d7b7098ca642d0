import { serverLimits } from "../../limits.ts";
import { DELIVERY_KINDS, deliveriesPage } from "../pages/deliveries-page.ts";
import { deadJobsPage, paymentsPage } from "../pages/list-pages.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";
import { readFilters } from "./payment-filters.ts";
import { withOrders } from "./with-orders.ts";

const limit = serverLimits.rowsPerPage;

export async function showPayments({ ledger, storeIds, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { filter, hasProblem } = readFilters(query, context);
  const page = await ledger.listPayments({ limit, ...pageOf(query), ...filter });
  const form = { query, filter, storeIds: await storeIds(), hasProblem };
  const details = await Promise.all(page.rows.map(({ id }) => ledger.transactionDetails(id)));
  const methods = new Map(page.rows.map(({ id }, index) => [id, details[index]?.method ?? null]));
  return pageResponse(
    paymentsPage({ page, methods, after: query.after ?? null, state: filter.states?.[0] ?? null, form }, context),
  );
}

export async function showDeliveries({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const kind = DELIVERY_KINDS.find((known) => known === query.outcome) ?? null;
  const page = await ledger.listDeliveries({ limit, ...pageOf(query), ...(kind === null ? {} : { outcome: kind }) });
  const shown = { rows: await withOrders(ledger, page.rows), next: page.next };
  return pageResponse(deliveriesPage({ page: shown, after: query.after ?? null }, kind, context));
}

export async function showDeadJobs({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const page = await ledger.listJobs({ dead: true, limit, ...pageOf(query) });
  const shown = { rows: await withOrders(ledger, page.rows), next: page.next };
  return pageResponse(deadJobsPage({ page: shown, after: query.after ?? null }, query, context));
}

function pageOf({ after }: OperatorRequest["query"]): { after?: string } {
  return after === undefined ? {} : { after };
}
