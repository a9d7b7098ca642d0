import type { Ledger } from "@tillkit/core";
import type { OfOrder } from "../pages/rows.ts";

/** Looks up the order of each job or delivery: people know their orders by number, not payments by id. */
export async function withOrders<Row extends { readonly paymentId: string | null }>(
  ledger: Pick<Ledger, "find">,
  rows: readonly Row[],
): Promise<readonly (Row & OfOrder)[]> {
  return await Promise.all(
    rows.map(async (row) => {
      const payment = row.paymentId === null ? null : await ledger.find({ id: row.paymentId });
      return { ...row, orderNumber: payment?.orderNumber ?? null, environment: payment?.environment ?? null };
    }),
  );
}
