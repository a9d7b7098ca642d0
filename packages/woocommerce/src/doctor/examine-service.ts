import { type Engine, type Environment, limits, safeReason } from "@tillkit/core";

/** Reads the shop's own list of transactions, with nothing in it. Null when the service lets us, else what it said. */
export async function examineService(
  { tenants, clock }: Pick<Engine, "tenants" | "clock">,
  storeId: string,
  environment: Environment,
): Promise<string | null> {
  try {
    const { id, account } = await tenants.credentialFor(storeId, environment);
    const service = await tenants.service(id);
    const now = clock.now();
    const rows = service.listTransactions({ from: now - 1_000, until: now, account, deadlineMs: limits.shopperCallMs });
    await rows[Symbol.asyncIterator]().next();
    return null;
  } catch (error) {
    return safeReason(error);
  }
}
