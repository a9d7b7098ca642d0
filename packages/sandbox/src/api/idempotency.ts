import { createHash } from "node:crypto";
import { limits } from "../limits.ts";
import { Refusal } from "../service/refusal.ts";
import type { Rows } from "../storage/open-store.ts";
import { insertRow, runStatement } from "../storage/statements.ts";
import type { IdempotencyRow } from "../storage/tables.ts";
import { canonicalJson } from "./read-json.ts";

const findYoung = "select * from idempotency where scope = ? and key = ? and created_at > ?";
const forgetOld = "delete from idempotency where created_at <= ?";

export type IdempotentRequest = { scope: string; key: string; fingerprint: string };

/**
 * The key of a request; null: none was sent and none is required.
 * @throws Refusal `idempotency_key_required`, `bad_request`
 */
export function readIdempotencyKey(header: string | string[] | undefined, required: boolean): string | null {
  const key = Array.isArray(header) ? header.join(",") : header;
  if (key === undefined) {
    if (required) throw new Refusal("idempotency_key_required", "Idempotency-Key header is required");
    return null;
  }
  if (key.length < 1 || key.length > limits.idempotencyKeyLength || !/^[\x20-\x7e]+$/.test(key)) {
    throw new Refusal("bad_request", "Idempotency-Key must be 1 to 255 printable ASCII characters");
  }
  return key;
}

/** What makes two requests the same: method, route, account, scenario and the body in whatever order it was written. */
export function fingerprintOf(parts: {
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

/** Keys whose first request is still running. A crash frees them, as it should: what was not committed did not happen. */
export type RunningKeys = {
  /** @throws Refusal `idempotency_in_progress`, `idempotency_key_reused` */
  take(request: IdempotentRequest): void;
  free(request: IdempotentRequest): void;
};

export function createRunningKeys(): RunningKeys {
  const running = new Map<string, string>();
  const name = ({ scope, key }: IdempotentRequest) => `${scope} ${key}`;
  return {
    take(request) {
      const fingerprint = running.get(name(request));
      if (fingerprint === undefined) {
        running.set(name(request), request.fingerprint);
        return;
      }
      if (fingerprint !== request.fingerprint) throw reused();
      throw new Refusal("idempotency_in_progress", "A request with this Idempotency-Key is already in progress");
    },
    free: (request) => running.delete(name(request)),
  };
}

/**
 * The stored first answer; null: this is the first request, or the first one is as old as `youngerThan` or older.
 * @throws Refusal `idempotency_key_reused`
 */
export async function storedAnswer(
  rows: Rows,
  request: IdempotentRequest,
  youngerThan: number,
): Promise<IdempotencyRow | null> {
  const [row] = await runStatement<IdempotencyRow>(rows, findYoung, [request.scope, request.key, youngerThan]);
  if (row === undefined) return null;
  if (row.fingerprint !== request.fingerprint) throw reused();
  return row;
}

/** Keeps the answer in the transaction of what it answers, and forgets those that are as old as `youngerThan`. */
export async function storeAnswer(
  rows: Rows,
  request: IdempotentRequest,
  answer: Pick<IdempotencyRow, "status" | "body" | "request_id" | "created_at">,
  youngerThan: number,
): Promise<void> {
  await runStatement(rows, forgetOld, [youngerThan]);
  await insertRow(rows, "idempotency", { ...request, ...answer });
}

function reused(): Refusal {
  return new Refusal("idempotency_key_reused", "Idempotency-Key was reused with a different request payload");
}
