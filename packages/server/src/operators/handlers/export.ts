import { exportPayments } from "../../export/export-payments.ts";
import { createFees } from "../../export/fees.ts";
import { exportPage } from "../pages/export-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./operator-request.ts";

const DAY_MS = 86_400_000;

/** Suggests the current month until today. */
export async function showExportForm({ engine, storeIds, context }: OperatorRequest): Promise<OperatorResponse> {
  const today = dateOf(engine.clock.now());
  return pageResponse(exportPage(await storeIds(), `${today.slice(0, 8)}01`, today, context));
}

export async function sendExportFile(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, query } = request;
  const [from, until] = [startOfDay(query.from), startOfDay(query.until)];
  if (from === null || until === null) return redirectTo(request, "/export");
  const storeId = query.store ? { storeId: query.store } : {};
  const period = { from, until: until + DAY_MS, ...storeId };
  const lines = exportPayments(ledger, createFees(engine.tenants), period);
  return { kind: "file", name: `payments-${query.from}-${query.until}.csv`, lines };
}

function startOfDay(date: string | undefined): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "") ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
