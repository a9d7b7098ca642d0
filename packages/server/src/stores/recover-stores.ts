import {
  codeOf,
  type Engine,
  type Environment,
  type RecoveryOptions,
  type RecoveryResult,
  recoverPayments,
} from "@tillkit/core";
import { type Credential, describeRecovery } from "@tillkit/core/hosts";
import { endpointUrl } from "./open-tenants.ts";

/** The result of one key of the service. `errorCode` is set when its search failed; payments recovered before that are kept. */
export type CredentialRecovery = {
  readonly storeId: string;
  readonly environment: Environment;
  readonly result: RecoveryResult | null;
  readonly errorCode: string | null;
};

/** `from` in milliseconds since 1970. The logs of the webhook endpoints are the only place where a dispute can be read. */
export type StoresRecovery = {
  readonly storeIds: readonly string[];
  readonly from: number;
  readonly endpointIds: readonly string[];
  readonly publicUrl: string;
};

/** Recovers payments with each service key of these stores once, live before test. */
export async function* recoverStores(engine: Engine, recovery: StoresRecovery): AsyncGenerator<CredentialRecovery> {
  const { storeIds, from } = recovery;
  const seen = new Set<string>();
  for (const storeId of storeIds) {
    for (const environment of ["live", "test"] as const) {
      const credential = await findCredential(engine, storeId, environment);
      if (credential === null || seen.has(credential.id)) continue;
      seen.add(credential.id);
      const logs = await endpointOf(engine, credential.id, recovery);
      const search = { credentialId: credential.id, account: credential.account, environment, from, ...logs };
      yield { storeId, environment, ...(await recover(engine, search)) };
    }
  }
}

async function endpointOf(
  { tenants }: Engine,
  credentialId: string,
  { endpointIds, publicUrl }: StoresRecovery,
): Promise<Pick<RecoveryOptions, "endpoint">> {
  for (const id of endpointIds) {
    const found = await tenants.endpoint(id);
    if (found?.credentialIds.includes(credentialId)) return { endpoint: { id, url: endpointUrl(publicUrl, id) } };
  }
  return {};
}

async function findCredential(engine: Engine, storeId: string, environment: Environment): Promise<Credential | null> {
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
  return `${storeId} (${environment}): ${describeRecovery(result)}`;
}
