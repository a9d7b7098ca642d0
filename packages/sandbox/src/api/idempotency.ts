import { createHash } from "node:crypto";
import { ApiError } from "../domain/api-error.ts";
import { canonicalJson } from "../domain/canonical-json.ts";
import { limits } from "../domain/limits.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { insertRow, runStatement } from "../storage/statements.ts";
import type { IdempotencyRow } from "../storage/tables.ts";

const selectUnexpired = "select * from idempotency where scope = ? and key = ? and created_at > ?";
const deleteExpired = "delete from idempotency where created_at <= ?";

export type IdempotentRequest = { scope: string; key: string; fingerprint: string };

/**
 * The Idempotency-Key of a request. Null means that no key was sent and none is required.
 * @throws ApiError `idempotency_key_required`, `bad_request`
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  { isRequired }: { isRequired: boolean },
): string | null {
  const key = Array.isArray(header) ? header.join(",") : header;
  if (key === undefined) {
    if (isRequired) throw new ApiError("idempotency_key_required", "Idempotency-Key header is required");
    return null;
  }
  if (key.length < 1 || key.length > limits.idempotencyKeyLength || !/^[\x20-\x7e]+$/.test(key)) {
    throw new ApiError("bad_request", "Idempotency-Key must be 1 to 255 printable ASCII characters");
  }
  return key;
}

/** Hashes method, path, account, scenario and body. The order of JSON keys and a `confirmation_token` do not count. */
export function requestFingerprint(parts: {
  method: string;
  path: string;
  account: string;
  scenario: string;
  body: unknown;
}): string {
  const { method, path, account, scenario, body } = parts;
  const text = [method, path, account, scenario, canonicalJson(body, ["confirmation_token"])].join("\n");
  return createHash("sha256").update(text).digest("hex");
}

/** Keys whose first request is still running. They live in memory: after a crash nothing was committed, so the keys are free. */
export type InFlightKeys = {
  /** @throws ApiError `idempotency_in_progress`, `idempotency_key_reused` */
  acquire(request: IdempotentRequest): void;
  release(request: IdempotentRequest): void;
};

export function createInFlightKeys(): InFlightKeys {
  const runningFingerprints = new Map<string, string>();
  const nameOf = ({ scope, key }: IdempotentRequest) => `${scope} ${key}`;
  return {
    acquire(request) {
      const fingerprint = runningFingerprints.get(nameOf(request));
      if (fingerprint === undefined) {
        runningFingerprints.set(nameOf(request), request.fingerprint);
        return;
      }
      if (fingerprint !== request.fingerprint) throw keyReusedError({ idempotency_key: request.key });
      throw new ApiError("idempotency_in_progress", "A request with this Idempotency-Key is already in progress", {
        details: { idempotency_key: request.key },
      });
    },
    release: (request) => runningFingerprints.delete(nameOf(request)),
  };
}

/**
 * The response of the first request with this key. Null means that there is none, or that it expired: responses that were
 * stored until the time `expiredUntil` do not count.
 * @throws ApiError `idempotency_key_reused`
 */
export async function readStoredResponse(
  database: SandboxDatabase,
  request: IdempotentRequest,
  expiredUntil: number,
): Promise<IdempotencyRow | null> {
  const [row] = await runStatement<IdempotencyRow>(database, selectUnexpired, [
    request.scope,
    request.key,
    expiredUntil,
  ]);
  if (row === undefined) return null;
  if (row.fingerprint !== request.fingerprint) {
    throw keyReusedError({ idempotency_key: row.key, request_id: row.request_id });
  }
  return row;
}

/** Stores the response in the database transaction of the request, and deletes the responses stored until `expiredUntil`. */
export async function storeResponse(
  database: SandboxDatabase,
  request: IdempotentRequest,
  response: Pick<IdempotencyRow, "status" | "body" | "request_id" | "created_at">,
  expiredUntil: number,
): Promise<void> {
  await runStatement(database, deleteExpired, [expiredUntil]);
  await insertRow(database, "idempotency", { ...request, ...response });
}

/** `request_id`: the request that used the key first. */
function keyReusedError(details: { idempotency_key: string; request_id?: string }): ApiError {
  return new ApiError("idempotency_key_reused", "Idempotency-Key was reused with a different request payload", {
    details,
  });
}
