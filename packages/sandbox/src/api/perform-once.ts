import { setTimeout as sleep } from "node:timers/promises";
import { InvalidConfirmationToken } from "../balances/confirmations.ts";
import { ApiError } from "../domain/api-error.ts";
import { errorResponse } from "../http/http-response.ts";
import { inDatabaseTransaction, type WriteContext } from "../runtime/service.ts";
import {
  type IdempotentRequest,
  type InFlightKeys,
  readStoredResponse,
  requestFingerprint,
  storeResponse,
} from "./idempotency.ts";
import type { Operation, OperationCall, OperationResult, UnavailableOperation } from "./operations/operation.ts";

type PerformOptions = {
  key: string | null;
  requestId: string;
  method: string;
  path: string;
  account: string;
  /** How long the request waits while it holds its Idempotency-Key. The fault `delayMs` sets it; 0 without a fault. */
  delayMs: number;
};

const HOUR_MS = 3_600_000;

/** `body` is JSON text. A replayed response has the `requestId` of the first request. */
type PerformedRequest = { status: number; body: string; replayed: boolean; requestId: string };

/** Performs an operation. With an Idempotency-Key it runs only once: response and effect are stored in one database transaction. */
export async function performOnce(
  inFlightKeys: InFlightKeys,
  operation: Exclude<Operation, UnavailableOperation>,
  call: OperationCall,
  options: PerformOptions,
): Promise<PerformedRequest> {
  if (!("prepare" in operation)) {
    await delay(options.delayMs);
    const { status, body } = await ("read" in operation
      ? operation.read(call, call.service.store.database)
      : operation.run(call));
    return { status, body: JSON.stringify(body), replayed: false, requestId: options.requestId };
  }
  const work = await operation.prepare(call);
  const request = idempotentRequest(call, options);
  if (request === null) {
    await delay(options.delayMs);
    const { status, body } = await inDatabaseTransaction(call.service, work);
    return { status, body: JSON.stringify(body), replayed: false, requestId: options.requestId };
  }
  inFlightKeys.acquire(request);
  try {
    return await replayOrPerform(call, request, options, work);
  } finally {
    inFlightKeys.release(request);
  }
}

async function replayOrPerform(
  { service }: OperationCall,
  request: IdempotentRequest,
  { requestId, delayMs }: PerformOptions,
  work: (context: WriteContext) => Promise<OperationResult>,
): Promise<PerformedRequest> {
  const expiredUntil = (now: number) => now - service.settings.idempotencyHours * HOUR_MS;
  const stored = await readStoredResponse(service.store.database, request, expiredUntil(service.clock.now()));
  await delay(delayMs);
  if (stored !== null) {
    return { status: stored.status, body: stored.body, replayed: true, requestId: stored.request_id };
  }
  try {
    return await inDatabaseTransaction(service, async (context) => {
      const outcome = await work(context);
      const response = { status: outcome.status, body: JSON.stringify(outcome.body) };
      const record = { ...response, request_id: requestId, created_at: context.now };
      if (outcome.isTransient !== true)
        await storeResponse(context.database, request, record, expiredUntil(context.now));
      return { ...response, replayed: false, requestId };
    });
  } catch (error) {
    if (!(error instanceof ApiError) || !isStoredError(error)) throw error;
    const body = errorResponse(error, requestId).body ?? "";
    await inDatabaseTransaction(service, ({ database, now }) => {
      const record = { status: error.status, body, request_id: requestId, created_at: now };
      return storeResponse(database, request, record, expiredUntil(now));
    });
    return { status: error.status, body, replayed: false, requestId };
  }
}

/** Errors of business rules are stored and replayed. Invalid bodies, 401, 403, 429 and 5xx leave the key free. */
function isStoredError(error: ApiError): boolean {
  if (error.code === "validation_failed" || error instanceof InvalidConfirmationToken) return false;
  return [400, 404, 409].includes(error.status);
}

function idempotentRequest(
  { caller, body, scenario }: OperationCall,
  options: PerformOptions,
): IdempotentRequest | null {
  if (options.key === null) return null;
  const { organization, environment, delegation } = caller;
  const owner = `${organization.organization_id} ${environment}`;
  // An Operator has its own keys for each member that it acts for.
  const scope = delegation === undefined ? owner : `${owner} ${delegation.membershipId}`;
  return { scope, key: options.key, fingerprint: requestFingerprint({ ...options, scenario, body }) };
}

async function delay(delayMs: number): Promise<void> {
  if (delayMs > 0) await sleep(delayMs);
}
