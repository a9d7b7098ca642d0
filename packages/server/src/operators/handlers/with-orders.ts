import type { Ledger } from "@tillkit/core";

/** Looks up the order of each job or delivery: people know their orders by number, not payments by id. */
export async function withOrders<Row extends { readonly paymentId: string | null }>(
  ledger: Pick<Ledger, "find">,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly orderNumber: string | null })[]> {
  return await Promise.all(
    rows.map(async (row) => {
      const payment = row.paymentId === null ? null : await ledger.find({ id: row.paymentId });
      return { ...row, orderNumber: payment?.orderNumber ?? null };
    }),
  );
}
