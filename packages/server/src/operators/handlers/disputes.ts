import { serverLimits } from "../../limits.ts";
import { disputesPage } from "../pages/disputes-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";

export async function showDisputes({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const { rows, next } = await ledger.listDisputes({
    limit: serverLimits.rowsPerPage,
    environment: context.mode,
    ...(after === undefined ? {} : { after }),
  });
  const payments = await ledger.paymentsWithMovements([...new Set(rows.map(({ paymentId }) => paymentId))]);
  const orderNumbers = new Map(payments.map(({ payment }) => [payment.id, payment.orderNumber]));
  const shown = rows.map((dispute) => ({ dispute, orderNumber: orderNumbers.get(dispute.paymentId) ?? null }));
  const list = { page: { rows: shown, next }, after: after ?? null };
  return pageResponse(disputesPage(list, context));
}
