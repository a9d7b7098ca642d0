import {
  codeOf,
  explainFinding,
  type Finding,
  findingKey,
  limits,
  type Order,
  type OrderRef,
  parseMoney,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  type StoreErrorCode,
} from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { createGroupClaims } from "@tillkit/core/payment-groups";
import { addOwnerEntry } from "./owner-entries.ts";
import type { MutationResult, PostedSession, SessionMutations, UserError } from "./write-only-shop.ts";

export type WriteOnlyConnection = {
  readonly storeId: string;
  readonly origin: string;
  readonly mutations: SessionMutations;
  readonly records: Records;
  readonly now: () => number;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The platform's retry schedule for mutations, about a day in total. */
const RETRY_SCHEDULE_MS = [
  ...[5, 10, 30, 45].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 12, 38].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 4, 4, 4, 4].map((hours) => hours * HOUR),
];

/** The shop did not accept the mutation. Every other error leaves open whether it did. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set<StoreErrorCode>(["unavailable", "reconnect", "owner"]);

/** Knows only the orders that the shop posted. The shop acknowledges each mutation once, and the shop's state can never be read. */
export function createWriteOnlyAdapter({
  storeId,
  origin,
  mutations,
  records,
  now,
}: WriteOnlyConnection): StoreAdapter {
  const claims = createGroupClaims(records, "group");

  async function findPost(ref: OrderRef, attempt: string): Promise<PostedSession | null> {
    if (ref.storeId !== storeId) return null;
    const row = await records.get(storeId, "session", attempt);
    const post = row && (row.value as PostedSession);
    return post?.group === ref.orderId ? post : null;
  }

  async function findOrder(ref: OrderRef, attempt: string): Promise<Order | null> {
    const post = await findPost(ref, attempt);
    if (!post) return null;
    const claim = await claims.find(ref);
    const paidBy = claim?.state === "acknowledged" ? claim.paymentId : null;
    const refused = await records.get(storeId, "refused", attempt);
    return orderOf(post, ref, { paidBy, payable: paidBy === null && refused === null });
  }

  async function markPaid({ ref, attempt, paymentId, unanswered, returned }: Receipt): Promise<StoreAnswer> {
    const sendBy = now() + limits.storeCallMs;
    if (!(await findPost(ref, attempt))) return { outcome: "gone" };
    // Record one payment per group before the mutation, because the shop does not distinguish our payments.
    const claim = await claims.claim(ref, { paymentId, state: "pending" }, returned);
    if (claim.paymentId !== paymentId) return { outcome: "other-payment", paidBy: claim.paymentId };
    const result = await mutations.resolve(attempt, paymentId, sendBy).catch(async (error: unknown) => {
      // Release only a claim that this call created: an older claim may belong to a mutation that is still in flight.
      if (claim.isFirst && WITHOUT_EFFECT.has(codeOf(error))) await claims.release(ref, claim);
      throw error;
    });
    if ("userError" in result) {
      await claims.release(ref, claim);
      return await refusal(attempt, result.userError, unanswered);
    }
    const continueUrl = result.nextAction;
    // The shop says only once where the shopper goes next.
    await claims.claim(ref, { paymentId, state: "acknowledged", ...(continueUrl === null ? {} : { continueUrl }) });
    return acknowledged(result);
  }

  async function markRefused(ref: OrderRef, attempt: string): Promise<StoreAnswer> {
    if (!(await findPost(ref, attempt))) return { outcome: "gone" };
    const result = await mutations.reject(attempt);
    if ("userError" in result) return await refusal(attempt, result.userError);
    await rememberRefused(attempt);
    return acknowledged(result);
  }

  // Whether an earlier request without an answer has resolved the session is not known yet, so its refusal is not remembered.
  async function refusal(attempt: string, userError: UserError, unanswered?: true): Promise<StoreAnswer> {
    if (userError === "NOT_FOUND") return { outcome: "gone" };
    if (userError === "GROUP_RESOLVED" || userError === "ALREADY_RESOLVED")
      return { outcome: "other-payment", paidBy: null };
    if (!unanswered) await rememberRefused(attempt);
    return { outcome: "not-payable", why: { kind: "refused_by_platform", code: userError } };
  }

  async function rememberRefused(attempt: string): Promise<void> {
    await records.put(storeId, "refused", attempt, true, "new");
  }

  return {
    platform: "miniature-write-only",
    writes: { kind: "conditional" },
    retryScheduleMs: RETRY_SCHEDULE_MS,
    findOrder,
    markPaid,
    holdForReview: async (ref, attempt, finding) => {
      if (!(await findPost(ref, attempt))) return;
      await addOwnerEntry(records, ref, "hold", { key: findingKey(finding), text: describeFinding(finding) });
    },
    shopperUrl: async (ref, attempt) =>
      (await claims.find(ref))?.continueUrl ?? (await findPost(ref, attempt))?.cancel_url ?? origin,
    // The result is not needed: a user error means that the session is final already.
    markPending: async (_ref, attempt, until) => {
      await mutations.pending(attempt, until);
    },
    markRefused,
    addNote: (ref, key, text) => addOwnerEntry(records, ref, "note", { key, text }),
  };
}

function orderOf(post: PostedSession, ref: OrderRef, state: Pick<Order, "paidBy" | "payable">): Order {
  return {
    ref,
    attempt: post.gid,
    total: parseMoney(post.amount, post.currency),
    title: `write-only.example ${post.id}`,
    language: post.customer.locale.startsWith("fr") ? "fr" : "en",
    environment: post.test ? "test" : "live",
    ...state,
  };
}

function acknowledged({ nextAction }: Exclude<MutationResult, { userError: UserError }>): StoreAnswer {
  return { outcome: nextAction === null ? "already" : "recorded", evidence: "acknowledged" };
}

function describeFinding(finding: Finding): string {
  return `Payment held for review: ${explainFinding(finding, "en")}`;
}
