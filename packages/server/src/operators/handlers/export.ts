import { exportPayments } from "../../export/export-payments.ts";
import { exportDisputes, exportRefunds } from "../../export/export-refunds.ts";
import { exportSettlement } from "../../export/export-settlement.ts";
import { createFees } from "../../export/fees.ts";
import { dateIn } from "../../pages/zone-time.ts";
import { exportPage } from "../pages/export-page.ts";
import { EXPORT_KINDS } from "../texts/export-texts.ts";
import { readPeriod } from "./export-period.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./operator-request.ts";
import { recordAct } from "./record-act.ts";

/** Suggests the current month until today. */
export async function showExportForm({ engine, storeIds, context }: OperatorRequest): Promise<OperatorResponse> {
  const today = dateIn(engine.clock.now(), context.zone);
  const firstOfMonth = `${today.slice(0, "2026-01-".length)}01`;
  return pageResponse(exportPage(await storeIds(), firstOfMonth, today, context));
}

export async function sendExportFile(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, query, context } = request;
  const period = readPeriod(query, context.zone);
  if (period === null) return redirectTo(request, "/export");
  const kind = EXPORT_KINDS.find((known) => known === query.what) ?? "payments";
  const files = {
    payments: () => exportPayments(ledger, createFees(engine.tenants), period),
    refunds: () => exportRefunds(ledger, period),
    disputes: () => exportDisputes(ledger, period),
    settlement: () => exportSettlement(ledger, createFees(engine.tenants), period, context.zone),
  };
  await recordAct(request, { act: "export", paymentId: null, detail: `${kind}, ${query.from} – ${query.until}` });
  return { kind: "file", name: `${kind}-${query.from}-${query.until}.csv`, lines: files[kind]() };
}
