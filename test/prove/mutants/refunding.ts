import { type Mutant, mutant, onlyBy } from "./mutant.ts";

const REFUND = "refunds/refund-payment";
const SEND = "refunds/send-refund";
const LEARN = "refunds/sync-refunds";

/** Mutants of refunds, each of which must be made once. */
export const refunding: readonly Mutant[] = [
  onlyBy(
    "packages/core/test/refunds/refund-payment.test.ts",
    "a refund in doubt blocks every other refund while the service is down",
    mutant(
      "refund-in-doubt-repeated",
      "A refund whose answer was lost is made again under another key.",
      REFUND,
      "const doubtful = known.find(isInDoubt);",
      "const doubtful = known.find((refund) => isInDoubt(refund) && refund.key === request.key);",
    ),
  ),
  mutant(
    "refund-key-anew",
    "Every retry of a refund makes another refund.",
    SEND,
    "service.refund({ paymentId, request, key, account, deadlineMs: limits.serviceCallMs })",
    "service.refund({ paymentId, request, key: key + engine.random.uuid(), account, deadlineMs: limits.serviceCallMs })",
  ),
  mutant(
    "doubt-is-failure",
    "A refund whose answer was lost counts as failed, and the next click makes it again.",
    SEND,
    `!== "refund_refused") return await recordRefund(engine, { ...refund, state: "unknown" });`,
    `!== "refund_refused") return await recordRefund(engine, { ...refund, state: "failed" });`,
  ),
  mutant(
    "doubt-is-success",
    "A refund whose answer was lost counts as completed, although it may not have been made.",
    SEND,
    `!== "refund_refused") return await recordRefund(engine, { ...refund, state: "unknown" });`,
    `!== "refund_refused") return await recordRefund(engine, { ...refund, state: "completed" });`,
  ),
  mutant(
    "pending-is-back",
    "A pending refund counts as completed, even if it fails later.",
    LEARN,
    `sumOf(all, ["completed"]) >= `,
    `sumOf(all, ["completed", "pending"]) >= `,
  ),
  mutant(
    "any-part-is-all",
    "A small refund makes the whole payment refunded.",
    LEARN,
    `if (sumOf(all, ["completed"]) >= `,
    `if (sumOf(all, ["completed"]) > 0 || sumOf(all, ["completed"]) >= `,
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "money in a pending refund cannot be refunded again",
    mutant(
      "pending-refund-not-counted",
      "While one refund is pending, the same amount can be refunded again.",
      LEARN,
      `minor - sumOf(refunds, ["completed", "pending"])`,
      `minor - sumOf(refunds, ["completed"])`,
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund with a stored result does not become unknown when a response is lost later",
    mutant(
      "doubt-over-answer",
      "A lost answer replaces the result that another process has read, so the refund is in doubt again.",
      SEND,
      "if (!isInDoubt(stored)) return stored;",
      `if (!isInDoubt(stored) && refund.state !== "unknown") return stored;`,
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-in-doubt.test.ts",
    "a refund in doubt is found by reading and not sent again by the worker after its key expired",
    mutant(
      "refund-after-key-life",
      "A refund whose key the service has forgotten is sent again, and is made twice.",
      SEND,
      "return readOnlySince === null ? keyExpiresAt : Math.min(readOnlySince, keyExpiresAt);",
      "return readOnlySince ?? Number.POSITIVE_INFINITY + keyExpiresAt;",
    ),
  ),
  mutant(
    "refused-repeat-is-final",
    "A refund that was made counts as failed because its repeat was refused, and the next click makes it again.",
    SEND,
    `if (sending === "again" || (await wasSentElsewhere(engine, refund))) return await afterRefusedRepeat(engine, refund);`,
  ),
  onlyBy(
    "packages/core/test/refunds/refund-in-doubt.test.ts",
    "a refund that the service refuses to repeat is settled by reading and not by the refusal",
    mutant(
      "settled-before-listed",
      "A refund that the service's list does not show yet counts as failed, and the next click makes it again.",
      SEND,
      "engine.clock.now() >= readOnlyFrom(refund) + limits.refundSettlesMs",
      "engine.clock.now() >= readOnlyFrom(refund)",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made fails although another refund of the same amount was made just before",
    mutant(
      "one-refund-for-two",
      "One refund at the service counts as the result of two requests, and the second one is never paid.",
      SEND,
      "reading.createdAt !== undefined && !ids.has(reading.id) && couldBeSameRefund",
      "reading.createdAt !== undefined && ids.size >= 0 && couldBeSameRefund",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made fails although the dashboard refunded the same amount an hour before",
    mutant(
      "older-refund-is-ours",
      "An older dashboard refund counts as the result of a refund of ours that was never made, so the store shows a refund that nobody got.",
      LEARN,
      "return amount?.minor === refund.amount.minor && isNewEnough;",
      "return amount?.minor === refund.amount.minor;",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made is sent again although the dashboard has refunded the same amount since",
    mutant(
      "dashboard-refund-is-ours",
      "A dashboard refund counts as the result of a refund of ours in doubt, which may still be made.",
      LEARN,
      "if (isAmbiguous || stored?.state === status) continue;",
      `if (isAmbiguous) {
      changed.push({ ...(withoutId.shift() ?? toExternalRefund(payment, transactionId, reading)), state: status, refundId: id });
      continue;
    }
    if (stored?.state === status) continue;`,
    ),
  ),
  mutant(
    "unrecorded-refund-repeated",
    "An owner who got no answer clicks again days later, and the refund is made twice.",
    REFUND,
    "if (unrecorded) return await answerUnderKey(engine, unrecorded, request.key);",
  ),
  mutant(
    "any-transaction-is-paid",
    "A refund of a declined transaction is requested. The service refuses it, and the shopper gets nothing.",
    "sessions/find-transaction",
    "return PAID.has(status) && isOurs;",
    `return status !== "" && PAID.size > 0 && isOurs;`,
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund never uses a transaction that paid another session",
    mutant(
      "transaction-of-anybody",
      "A transaction of another session, which an event named, is refunded instead of this payment's transaction.",
      "sessions/find-transaction",
      "return PAID.has(status) && isOurs;",
      "return PAID.has(status) && (isOurs || session !== null);",
    ),
  ),
  onlyBy(
    "packages/core/test/service/refund-may-have-succeeded.test.ts",
    "a refund whose first response was lost is not refused, whatever the service answers to its repeat",
    mutant(
      "landed-is-refused",
      "A refund whose first request may have succeeded counts as refused, and the next click makes it again.",
      "service/service-from-client",
      `const isInDoubt = refusal === "refund_refused" && mayHaveSucceeded(error);`,
      `const isInDoubt = refusal === "refund_refused" && mayHaveSucceeded(error) && refusal === null;`,
    ),
  ),
];
