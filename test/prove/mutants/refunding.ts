import { type Mutant, mutant, onlyBy } from "./mutant.ts";

const REFUND = "refunds/refund-payment";
const SEND = "refunds/send-refund";
const LEARN = "refunds/sync-refunds";

/** How money goes back, once. */
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
    "Every try to give money back gives it back.",
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
    "A refund whose answer was lost counts as done, although the money may still be here.",
    SEND,
    `!== "refund_refused") return await recordRefund(engine, { ...refund, state: "unknown" });`,
    `!== "refund_refused") return await recordRefund(engine, { ...refund, state: "completed" });`,
  ),
  mutant(
    "pending-is-back",
    "Money that is still on its way back counts as given back, also when it never goes.",
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
      "While one refund is under way the same money can be given back once more.",
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
      "An answer that was lost replaces the outcome that another process has read: the refund is in doubt again.",
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
      "A refund whose key the service has forgotten is sent again: the money goes back twice.",
      SEND,
      "return Math.min(readOnlySince ?? Number.POSITIVE_INFINITY, requestedAt + limits.keyLifeMs);",
      "return readOnlySince ?? Number.POSITIVE_INFINITY + requestedAt;",
    ),
  ),
  mutant(
    "refused-repeat-is-final",
    "A refund that landed counts as failed because its repeat was refused, and the next click makes it again.",
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
      "One refund of the service is taken for the outcome of two: the second shopper gets nothing.",
      SEND,
      "one.createdAt !== undefined && !ids.has(one.id) && couldBeSameRefund",
      "one.createdAt !== undefined && ids.size >= 0 && couldBeSameRefund",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made fails although the dashboard refunded the same amount an hour before",
    mutant(
      "older-refund-is-ours",
      "An older refund of the dashboard is taken for one of ours that was never sent: the store says done, and no money moved.",
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
      "A refund of the dashboard is taken for one of ours in doubt, which may land all the same.",
      LEARN,
      "if (isAmbiguous || stored?.state === status) continue;",
      `if (isAmbiguous) {
      changed.push({ ...(withoutId.shift() ?? externalRefund(payment, transactionId, reading)), state: status, refundId: id });
      continue;
    }
    if (stored?.state === status) continue;`,
    ),
  ),
  mutant(
    "unrecorded-refund-repeated",
    "An owner who got no answer clicks again days later, and the money goes back twice.",
    REFUND,
    "if (unrecorded) return await answerWith(engine, unrecorded, request.key);",
  ),
  mutant(
    "any-transaction-is-paid",
    "A refund is asked of a try that was declined: it is refused, and nobody gets the money back.",
    "sessions/find-transaction",
    "return PAID.has(status) && isOurs;",
    `return status !== "" && PAID.size > 0 && isOurs;`,
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund never uses a transaction that paid another session",
    mutant(
      "transaction-of-anybody",
      "A transaction that somebody else's event names is refunded in place of this payment's own.",
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
      "A refund whose earlier try may have landed counts as refused, and the next click makes it again.",
      "service/service-from-client",
      `const isInDoubt = refusal === "refund_refused" && mayHaveSucceeded(error);`,
      `const isInDoubt = refusal === "refund_refused" && mayHaveSucceeded(error) && refusal === null;`,
    ),
  ),
];
