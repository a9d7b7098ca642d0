import type { Dispute } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import type { ShownDispute } from "../pages/dispute-rows.ts";
import { disputesPage } from "../pages/disputes-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";

export async function showDisputes({ engine, ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const { rows, next } = await ledger.listDisputes({
    limit: serverLimits.rowsPerPage,
    ...(after === undefined ? {} : { after }),
  });
  const shown = await Promise.all(
    rows.map(async (dispute: Dispute): Promise<ShownDispute> => {
      const payment = await ledger.find({ id: dispute.paymentId });
      return { dispute, orderNumber: payment?.orderNumber ?? null };
    }),
  );
  const list = { page: { rows: shown, next }, after: after ?? null, now: engine.clock.now() };
  return pageResponse(disputesPage(list, context));
}
