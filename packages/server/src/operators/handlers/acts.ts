import { serverLimits } from "../../limits.ts";
import { actsPage } from "../pages/acts-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";

export async function showActs({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const page = await ledger.listActs({ limit: serverLimits.rowsPerPage, ...(after === undefined ? {} : { after }) });
  return pageResponse(actsPage({ page, after: after ?? null }, context));
}
