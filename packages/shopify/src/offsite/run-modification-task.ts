import { codeOf } from "@tillkit/core";
import { REFUND_NOT_RECORDED } from "@tillkit/core/back-office";
import type { HostJobResult } from "@tillkit/core/hosts";
import { MUTATION_RETRY_SCHEDULE_MS } from "../limits.ts";
import { modificationMutations } from "../operations/payments-operations.ts";
import type { ModificationResult, ModificationTask } from "../records/tasks.ts";
import { describeUserErrors, type UserErrors } from "../shopify-api/operation.ts";
import { rejectionText } from "../texts/rejection-texts.ts";
import { deadJobErrors } from "../texts/task-texts.ts";
import { decideModification, type ModificationContext } from "./decide-modification.ts";

/**
 * One step of a refund, capture or void that Shopify requested. The first steps find its result; the following ones send the result
 * to Shopify until Shopify accepts it.
 */
export async function runModificationTask(
  context: ModificationContext,
  shop: string,
  state: ModificationTask,
): Promise<HostJobResult> {
  if (state.result) return await sendResult(context, shop, state, state.result);
  const decision = await decideModification(context, shop, state);
  if ("result" in decision) return goOn({ ...state, result: decision.result }, context.clock.now());
  return goOn(decision.state, decision.retryAt);
}

async function sendResult(
  context: ModificationContext,
  shop: string,
  state: ModificationTask,
  result: ModificationResult,
): Promise<HostJobResult> {
  const { clock, log } = context;
  const attempted: ModificationTask = { ...state, result: { ...result, attempts: result.attempts + 1 } };
  try {
    const userErrors = await sendMutation(context, shop, state, result);
    if (userErrors.length === 0) return "done";
    const reason = describeUserErrors(userErrors);
    log.warn("shopify.modification_refused", { storeId: shop, kind: state.kind, result: result.kind, reason });
    // Shopify closed the session, so a further attempt changes nothing. Only a paid refund is reported to the owner.
    return result.kind === "reject" ? "done" : deadJob(state, REFUND_NOT_RECORDED);
  } catch (error) {
    // A refused token is none of the faults that Shopify's schedule is for.
    if (codeOf(error) === "reconnect") throw error;
    const waitMs = MUTATION_RETRY_SCHEDULE_MS[result.attempts];
    if (codeOf(error) === "owner" || waitMs === undefined) return deadJob(state, "not_delivered");
    return goOn(attempted, clock.now() + waitMs);
  }
}

function goOn(state: ModificationTask, retryAt: number): HostJobResult {
  return { retryAt, payload: JSON.stringify(state) };
}

function deadJob(state: ModificationTask, reason: keyof typeof deadJobErrors): HostJobResult {
  // After a person's retry the result is sent as often as the first time.
  const result = state.result && { ...state.result, attempts: 0 };
  return { dead: deadJobErrors[reason], payload: JSON.stringify({ ...state, result }) };
}

async function sendMutation(
  { graphql, shops }: ModificationContext,
  shop: string,
  { kind, gid }: ModificationTask,
  result: ModificationResult,
): Promise<UserErrors> {
  const { resolve, reject } = modificationMutations[kind];
  if (result.kind === "resolve") return (await graphql.call(shop, resolve, { id: gid })).userErrors;
  const merchantMessage = rejectionText(result.reason, await shops.languageOf(shop), result.decideAt);
  const reason = { code: "PROCESSING_ERROR", merchantMessage };
  return (await graphql.call(shop, reject, { id: gid, reason })).userErrors;
}
