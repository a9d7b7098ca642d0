import {
  type Credential,
  codeOf,
  type Engine,
  type Environment,
  type RecoveryOptions,
  type RecoveryResult,
  recoverPayments,
} from "@tillkit/core";

/** The result of one key of the service. `errorCode` is set when its search failed; payments recovered before that are kept. */
export type CredentialRecovery = {
  readonly storeId: string;
  readonly environment: Environment;
  readonly result: RecoveryResult | null;
  readonly errorCode: string | null;
};

/** Recovers payments with each service key of these stores once, live before test. `from` in milliseconds since 1970. */
export async function* recoverStores(
  engine: Engine,
  storeIds: readonly string[],
  from: number,
): AsyncGenerator<CredentialRecovery> {
  const seen = new Set<string>();
  for (const storeId of storeIds) {
    for (const environment of ["live", "test"] as const) {
      const credential = await findCredential(engine, storeId, environment);
      if (credential === null || seen.has(credential.id)) continue;
      seen.add(credential.id);
      const search = { credentialId: credential.id, account: credential.account, environment, from };
      yield { storeId, environment, ...(await recover(engine, search)) };
    }
  }
}

export async function findCredential(
  engine: Engine,
  storeId: string,
  environment: Environment,
): Promise<Credential | null> {
  try {
    return await engine.tenants.credentialFor(storeId, environment);
  } catch (error) {
    if (["store_not_known", "environment_differs"].includes(codeOf(error))) return null;
    throw error;
  }
}

async function recover(
  engine: Engine,
  search: RecoveryOptions,
): Promise<Pick<CredentialRecovery, "result" | "errorCode">> {
  try {
    return { result: await recoverPayments(engine, search), errorCode: null };
  } catch (error) {
    return { result: null, errorCode: codeOf(error) };
  }
}

/**
 * Prints one line for each key.
 * @throws Error after the last key, with a message for the terminal, when the search failed for a key or no shop has a key
 */
export async function printRecovery(
  recoveries: AsyncIterable<CredentialRecovery>,
  print: (text: string) => void,
): Promise<void> {
  let keyCount = 0;
  let failureCount = 0;
  for await (const recovery of recoveries) {
    keyCount += 1;
    if (recovery.errorCode !== null) failureCount += 1;
    print(lineOf(recovery));
  }
  if (keyCount === 0) throw new Error("No shop has a key of the service: there is nothing to recover.");
  if (failureCount > 0)
    throw new Error(`The search failed for ${failureCount} of ${keyCount} keys: run it again, it does no harm.`);
}

function lineOf({ storeId, environment, result, errorCode }: CredentialRecovery): string {
  if (result === null) return `${storeId} (${environment}): the search failed (${errorCode}).`;
  const { scanned, recovered, refundsSynced } = result;
  return `${storeId} (${environment}): transactions checked ${scanned}, payments recovered ${recovered.length}, payments with a recovered refund ${refundsSynced.length}.`;
}
