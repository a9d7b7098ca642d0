import { type Engine, type Environment, limits, safeReason } from "@tillkit/core";

/** Tests the API key with a list of the last second's transactions. Null if the service accepts the key, else the reason. */
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
