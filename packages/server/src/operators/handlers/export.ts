import { originalOfHost } from "@tillkit/core/hosts";
import { csvLine, excelLines, withByteOrderMark } from "../../export/csv.ts";
import { exportChosenPayments, exportPayments } from "../../export/export-payments.ts";
import { exportDisputes, exportRefunds } from "../../export/export-refunds.ts";
import { exportSettlement } from "../../export/export-settlement.ts";
import { createFees } from "../../export/fees.ts";
import { serverLimits } from "../../limits.ts";
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

/** The payments that were chosen in a list; those of the other mode are left out. */
export async function sendChosenPayments(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, chosen, context } = request;
  const ids = chosen.slice(0, serverLimits.rowsPerPage);
  if (ids.length === 0) return redirectTo(request, "/payments");
  if (await isCopy(request)) return redirectTo(request, COPY_PROBLEM);
  await recordAct(request, { act: "export", paymentId: null, detail: `payments: ${ids.length}` });
  const form = csvForm(request);
  const lines = exportChosenPayments(ledger, createFees(engine.tenants), { ids, environment: context.mode }, form.line);
  return { kind: "file", name: `payments-${context.mode}-chosen.csv`, lines: form.file(lines) };
}

export async function sendExportFile(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, query, context } = request;
  const period = readPeriod(query, context);
  if (period === null) return redirectTo(request, "/export");
  if (await isCopy(request)) return redirectTo(request, COPY_PROBLEM);
  const kind = EXPORT_KINDS.find((known) => known === query.what) ?? "payments";
  const form = csvForm(request);
  const files = {
    payments: () => exportPayments(ledger, createFees(engine.tenants), period, form.line),
    refunds: () => exportRefunds(ledger, period, form.line),
    disputes: () => exportDisputes(ledger, period, form.line),
    settlement: () => exportSettlement(ledger, createFees(engine.tenants), period, context.zone, form.line),
  };
  await recordAct(request, { act: "export", paymentId: null, detail: `${kind}, ${query.from} – ${query.until}` });
  return {
    kind: "file",
    name: `${kind}-${context.mode}-${query.from}-${query.until}.csv`,
    lines: form.file(files[kind]()),
  };
}

// The overview, where a person says whether the server moved.
const COPY_PROBLEM = "/?problem=installation_unknown";

/** A copy of the database stands where others may see it, and gives no file of the original's customers away. */
async function isCopy({ engine }: OperatorRequest): Promise<boolean> {
  return (await originalOfHost(engine)) !== null;
}

/** How lines are written: for other programs, or for Excel in the operator's language. */
function csvForm({ query, context }: OperatorRequest) {
  if (query.format !== "excel") return { line: csvLine, file: (lines: AsyncIterable<string>) => lines };
  return { line: excelLines[context.language], file: withByteOrderMark };
}
