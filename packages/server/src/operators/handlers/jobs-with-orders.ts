import type { Ledger, StoredJob } from "@tillkit/core";
import type { ShownJob } from "../pages/rows.ts";

/** Looks up the order of each job: people know their orders by number, not payments by id. */
export async function withOrders(
  ledger: Pick<Ledger, "find">,
  jobs: readonly StoredJob[],
): Promise<readonly ShownJob[]> {
  return await Promise.all(
    jobs.map(async (job) => {
      const payment = job.paymentId === null ? null : await ledger.find({ id: job.paymentId });
      return { ...job, orderNumber: payment?.orderNumber ?? null };
    }),
  );
}
