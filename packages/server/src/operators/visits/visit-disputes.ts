import type { Dispute } from "@tillkit/core";
import { hostLimits } from "../../limits.ts";
import { type OperatorReply, type OperatorVisit, showOperatorPage } from "../operator-visit.ts";
import type { ShownDispute } from "../pages/dispute-parts.ts";
import { disputesPage } from "../pages/disputes-page.ts";

export async function visitDisputes({ engine, ledger, look, query }: OperatorVisit): Promise<OperatorReply> {
  const { after } = query;
  const { rows, next } = await ledger.listDisputes({
    limit: hostLimits.pageRows,
    ...(after === undefined ? {} : { after }),
  });
  const shown = await Promise.all(
    rows.map(async (dispute: Dispute): Promise<ShownDispute> => {
      const payment = await ledger.find({ id: dispute.paymentId });
      return { dispute, orderId: payment?.ref.orderId ?? null };
    }),
  );
  const list = { page: { rows: shown, next }, after: after ?? null, now: engine.clock.now() };
  return showOperatorPage(disputesPage(list, look));
}
