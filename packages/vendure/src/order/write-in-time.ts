import { createWriteBound, type WriteBound } from "@tillkit/runtime";
import type { RequestContext } from "@vendure/core";
import type { ShopServices } from "../shop-services.ts";

/**
 * Runs `work` in one transaction, which is rolled back when the last moment for this write has passed before its commit: what a worker
 * that slept has found out may no longer be true. `bound` begins now, unless the call of the adapter began earlier.
 * @throws StoreError `unavailable` when it is too late
 */
export async function writeInTime<Result>(
  { services, clock, context }: ShopServices,
  work: (transaction: RequestContext) => Promise<Result>,
  bound: WriteBound = createWriteBound(clock),
): Promise<Result> {
  return await services.connection.withTransaction(await context(), async (transaction) => {
    const result = await work(transaction);
    bound.assertInTime();
    return result;
  });
}
