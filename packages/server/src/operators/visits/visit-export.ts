import { exportPayments } from "../../export/export-payments.ts";
import { createFees } from "../../export/fees.ts";
import { goTo, type OperatorReply, type OperatorVisit, showOperatorPage } from "../operator-visit.ts";
import { exportPage } from "../pages/export-page.ts";

const DAY_MS = 86_400_000;

/** Proposes the month until today. */
export async function visitExport({ engine, storeIds, look }: OperatorVisit): Promise<OperatorReply> {
  const today = dateOf(engine.clock.now());
  return showOperatorPage(exportPage(await storeIds(), `${today.slice(0, 8)}01`, today, look));
}

export async function visitExportFile(visit: OperatorVisit): Promise<OperatorReply> {
  const { engine, ledger, query } = visit;
  const [from, until] = [startOf(query.from), startOf(query.until)];
  if (from === null || until === null) return goTo(visit, "/export");
  const storeId = query.store ? { storeId: query.store } : {};
  const period = { from, until: until + DAY_MS, ...storeId };
  const lines = exportPayments(ledger, createFees(engine.tenants), period);
  return { say: "file", name: `payments-${query.from}-${query.until}.csv`, lines };
}

function startOf(date: string | undefined): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "") ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
