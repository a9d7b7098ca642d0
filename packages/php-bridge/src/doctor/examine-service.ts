import { type Engine, type Environment, limits, safeReason } from "@tillkit/core";
import { examineTransactions } from "@tillkit/runtime";
import type { CheckResult } from "./diagnosis.ts";

/** Whether the service accepts the API key of a shop, and whether it names the transactions of this key. */
export async function examineKeyOfService(
  engine: Pick<Engine, "tenants" | "clock">,
  storeId: string,
  environment: Environment,
): Promise<readonly CheckResult[]> {
  const problem = await examineService(engine, storeId, environment);
  if (problem !== null) {
    const message = `The payment service does not answer correctly. ${problem}`;
    return [{ check: "service", status: "error", message }];
  }
  const { id, account } = await engine.tenants.credentialFor(storeId, environment);
  const naming = await examineTransactions(await engine.tenants.service(id), { account, now: engine.clock.now() });
  return [
    { check: "service", status: "ok", message: `The payment service accepts the ${environment} key.` },
    { check: "transactions", ...naming },
  ];
}

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
