import { setTimeout as sleep } from "node:timers/promises";
import { Unconfirmed } from "../balances/confirmations.ts";
import { Refusal } from "../service/refusal.ts";
import { type Change, changeState } from "../service/service.ts";
import { errorAnswer } from "./answer.ts";
import { fingerprintOf, type IdempotentRequest, type RunningKeys, storeAnswer, storedAnswer } from "./idempotency.ts";
import type { Call, Closed, Operation, Outcome } from "./operation.ts";

type Identity = {
  key: string | null;
  requestId: string;
  method: string;
  path: string;
  account: string;
  /** How long to hold the request after its key was taken: the fault `delayMs`. */
  holdMs: number;
};

const HOUR_MS = 3_600_000;

/** The body as JSON text; `requestId` is the first one's when an error is repeated. */
type Done = { status: number; body: string; replayed: boolean; requestId: string };

/** Performs an operation, under an Idempotency-Key only once: its answer and its effect are stored in one transaction. */
export async function performOnce(
  running: RunningKeys,
  operation: Exclude<Operation, Closed>,
  call: Call,
  identity: Identity,
): Promise<Done> {
  if (!("prepare" in operation)) {
    await hold(identity.holdMs);
    const outcome = "read" in operation ? operation.read(call, call.service.store.rows) : operation.act(call);
    const { status, body } = await outcome;
    return { status, body: JSON.stringify(body), replayed: false, requestId: identity.requestId };
  }
  const work = await operation.prepare(call);
  const request = idempotentRequest(call, identity);
  if (request === null) {
    await hold(identity.holdMs);
    const { status, body } = await changeState(call.service, work);
    return { status, body: JSON.stringify(body), replayed: false, requestId: identity.requestId };
  }
  running.take(request);
  try {
    return await replayOrPerform(call, request, identity, work);
  } finally {
    running.free(request);
  }
}

async function replayOrPerform(
  { service }: Call,
  request: IdempotentRequest,
  { requestId, holdMs }: Identity,
  work: (change: Change) => Promise<Outcome>,
): Promise<Done> {
  const youngerThan = (now: number) => now - service.settings.idempotencyHours * HOUR_MS;
  const stored = await storedAnswer(service.store.rows, request, youngerThan(service.clock.now()));
  await hold(holdMs);
  if (stored !== null) {
    return { status: stored.status, body: stored.body, replayed: true, requestId: stored.request_id };
  }
  try {
    return await changeState(service, async (change) => {
      const outcome = await work(change);
      const answer = { status: outcome.status, body: JSON.stringify(outcome.body) };
      const kept = { ...answer, request_id: requestId, created_at: change.now };
      if (outcome.passing !== true) await storeAnswer(change.rows, request, kept, youngerThan(change.now));
      return { ...answer, replayed: false, requestId };
    });
  } catch (error) {
    if (!(error instanceof Refusal) || !isRepeated(error)) throw error;
    const body = errorAnswer(error, requestId).body ?? "";
    await changeState(service, ({ rows, now }) => {
      const kept = { status: error.status, body, request_id: requestId, created_at: now };
      return storeAnswer(rows, request, kept, youngerThan(now));
    });
    return { status: error.status, body, replayed: false, requestId };
  }
}

/** Refused by the business rules: that is repeated. After invalid bodies, 401, 403, 429 and 5xx the key is free again. */
function isRepeated(refusal: Refusal): boolean {
  if (refusal.code === "validation_failed" || refusal instanceof Unconfirmed) return false;
  return [400, 404, 409].includes(refusal.status);
}

function idempotentRequest({ caller, body, scenario }: Call, identity: Identity): IdempotentRequest | null {
  if (identity.key === null) return null;
  const { organization, environment, delegation } = caller;
  const scope = [organization.organization_id, environment, delegation?.membershipId ?? []].flat().join(" ");
  return { scope, key: identity.key, fingerprint: fingerprintOf({ ...identity, scenario, body }) };
}

async function hold(holdMs: number): Promise<void> {
  if (holdMs > 0) await sleep(holdMs);
}
