import {
  type Credential,
  codeOf,
  type Engine,
  type Environment,
  type RecoveryOptions,
  type RecoveryResult,
  recoverPayments,
} from "@tillkit/core";

/** What one key of the service told. `failed`: the code of why it did not tell all; what was found until then stays. */
export type Recovery = {
  readonly storeId: string;
  readonly environment: Environment;
  readonly found: RecoveryResult | null;
  readonly failed: string | null;
};

/** Each key of these stores once, live before test. `from` in milliseconds since 1970. */
export async function* recoverStores(
  engine: Engine,
  storeIds: readonly string[],
  from: number,
): AsyncGenerator<Recovery> {
  const seen = new Set<string>();
  for (const storeId of storeIds) {
    for (const environment of ["live", "test"] as const) {
      const credential = await credentialOf(engine, storeId, environment);
      if (credential === null || seen.has(credential.id)) continue;
      seen.add(credential.id);
      const search = { credentialId: credential.id, account: credential.account, environment, from };
      yield { storeId, environment, ...(await recover(engine, search)) };
    }
  }
}

async function credentialOf(engine: Engine, storeId: string, environment: Environment): Promise<Credential | null> {
  try {
    return await engine.tenants.credentialFor(storeId, environment);
  } catch (error) {
    if (["store_not_known", "environment_differs"].includes(codeOf(error))) return null;
    throw error;
  }
}

async function recover(engine: Engine, search: RecoveryOptions): Promise<Pick<Recovery, "found" | "failed">> {
  try {
    return { found: await recoverPayments(engine, search), failed: null };
  } catch (error) {
    return { found: null, failed: codeOf(error) };
  }
}

/**
 * Says a line for each key.
 * @throws Error with one sentence, at the end, when one of them did not tell all
 */
export async function tellRecovery(recoveries: AsyncIterable<Recovery>, print: (text: string) => void): Promise<void> {
  let keys = 0;
  let failures = 0;
  for await (const recovery of recoveries) {
    keys += 1;
    if (recovery.failed !== null) failures += 1;
    print(lineOf(recovery));
  }
  if (keys === 0) throw new Error("No shop here has a key of the service: there is nothing to ask.");
  if (failures > 0) throw new Error(`Of ${keys} keys ${failures} did not tell all: run it again, it does no harm.`);
}

function lineOf({ storeId, environment, found, failed }: Recovery): string {
  if (found === null) return `${storeId} (${environment}): the service did not tell all (${failed}).`;
  const { scanned, recovered, refundsSynced } = found;
  return `${storeId} (${environment}): transactions looked at ${scanned}, payments taken back ${recovered.length}, payments with a forgotten refund ${refundsSynced.length}.`;
}
