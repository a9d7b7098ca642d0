import { codeOf } from "@tillkit/core";
import { createFees } from "../../export/fees.ts";
import { settlementOf } from "../../export/settlement.ts";
import { serverLimits } from "../../limits.ts";
import type { PageContext } from "../pages/page-context.ts";
import { settlementPage } from "../pages/settlement-page.ts";
import { exportTexts } from "../texts/export-texts.ts";
import { readPeriod } from "./export-period.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./operator-request.ts";

export async function showSettlement(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, query, context } = request;
  const texts = exportTexts[context.language];
  const period = readPeriod(query, context);
  if (period === null) return redirectTo(request, "/export");
  const maxPayments = serverLimits.maxSettledPayments;
  const title = [daysText(query, context), ...(query.store ? [query.store] : [])].join(" · ");
  try {
    const settlements = await settlementOf(ledger, createFees(engine.tenants), period, maxPayments);
    const problem =
      settlements === null ? texts.tooMany(new Intl.NumberFormat(context.language).format(maxPayments)) : null;
    return pageResponse(settlementPage({ title, settlements: settlements ?? [], problem }, context));
  } catch (error) {
    if (codeOf(error) !== "service_unavailable") throw error;
    return pageResponse(settlementPage({ title, settlements: [], problem: texts.unavailable }, context), 503);
  }
}

function daysText({ from = "", until = "" }: OperatorRequest["query"], { language }: PageContext): string {
  const format = new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", {
    dateStyle: "medium",
    timeZone: "UTC",
  });
  const [first, last] = [from, until].map((date) => format.format(Date.parse(date)));
  return first === last ? `${first}` : `${first} – ${last}`;
}
