import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const REFUND = "refunds/refund-payment";
const SEND = "refunds/send-refund";
const LEARN = "refunds/sync-refunds";
const EVIDENCE = "refunds/refund-evidence";
const READING = "refunds/refund-reading";
const UNCLEAR = "packages/core/test/refunds/unclear-refund.test.ts";

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
    `const isRefunded = sumOf(all, ["completed"]) >= `,
    `const isRefunded = sumOf(all, ["completed"]) > 0 || sumOf(all, ["completed"]) >= `,
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
    UNCLEAR,
    "a refund is not sent again after the service forgot its idempotency key, even if the service still answers as before the refund",
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
    UNCLEAR,
    "a refund that was just made does not count as failed while the service still answers as before the refund",
    mutant(
      "settled-before-listed",
      "A refund that the service's list does not show yet counts as failed, and the next click makes it again.",
      SEND,
      "return now >= readOnlyFrom(refund) + limits.refundSettlesMs;",
      "return now >= readOnlyFrom(refund);",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made fails although another refund of the same amount was made just before",
    mutant(
      "one-refund-for-two",
      "One refund at the service counts as the result of two requests, and the second one is never paid.",
      EVIDENCE,
      "list.refunds.filter(({ id }) => !ids.has(id))",
      "list.refunds.filter(() => ids.size >= 0)",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made fails although the dashboard refunded the same amount two days before",
    mutant(
      "older-refund-is-ours",
      "An older dashboard refund counts as the result of a refund of ours that was never made, so the store shows a refund that nobody got.",
      READING,
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
      "const isNew = stored === undefined && !withoutId.some((refund) => couldBeOurs(payment, refund, reading));",
      `const lost = stored ? undefined : withoutId.find((refund) => couldBeOurs(payment, refund, reading));
    if (lost) changed.push({ ...lost, state: reading.status, refundId: reading.id });
    const isNew = stored === undefined && lost === undefined;`,
    ),
  ),
  mutant(
    "unrecorded-refund-repeated",
    "An owner who got no answer clicks again days later, and the refund is made twice.",
    REFUND,
    "if (unrecorded) return await answerUnderKey(engine, unrecorded, request.key);",
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund never uses a transaction that was declined",
    mutant(
      "any-transaction-is-paid",
      "A refund of a declined transaction is requested. The service refuses it, and the shopper gets nothing.",
      "sessions/find-transaction",
      "if (!PAID.has(status)) return false;",
      `if (status === "" && PAID.size > 0) return false;`,
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund never uses a transaction that paid another session",
    mutant(
      "transaction-of-anybody",
      "A transaction of another session, which an event named, is refunded instead of this payment's transaction.",
      "sessions/find-transaction",
      "if (sessionId !== undefined) return sessionId === payment.session?.id;",
      "if (sessionId !== undefined) return payment.session !== null;",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund never uses a transaction that names nobody and has another amount",
    mutant(
      "transaction-of-a-stranger",
      "A session names a stranger's transaction, and the stranger gets the refund.",
      "sessions/find-transaction",
      "gross !== null && sameMoney(gross, paid) && createdAt",
      "gross !== null && createdAt",
    ),
  ),
  alsoBy(
    UNCLEAR,
    "a refund that was made never counts as failed while the list skips it",
    mutant(
      "list-alone-proves",
      "A refund that a page of the service's list skips counts as failed, and the next click makes it again.",
      EVIDENCE,
      "list.isComplete && isReadable && agrees(payment, { transaction, list, known: ofTransaction })",
      "list.isComplete && isReadable && (agrees(payment, { transaction, list, known: ofTransaction }) || known.length > 0)",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a pending refund never counts as failed while rows of the service's list cannot be read",
    mutant(
      "cut-list-proves",
      "A pending refund in an unreadable row of the service's list counts as failed, and the next click makes it again.",
      EVIDENCE,
      "list.isComplete && isReadable",
      "isReadable",
    ),
  ),
  onlyBy(
    "packages/core/test/service/read-refund-list.test.ts",
    "a refund on the second page is found, and a second page that skips it makes the list incomplete",
    mutant(
      "skipped-rows-uncounted",
      "A pending refund that a page of the service's list skips counts as failed, and the next click makes it again.",
      "service/read-refund-list",
      "if (seen.size < totalCount) isComplete = false;",
      "",
    ),
  ),
  onlyBy(
    "packages/core/test/service/read-refund-list.test.ts",
    "a list of more than 2,000 newer refunds is not complete",
    mutant(
      "capped-list-complete",
      "On a key with thousands of refunds a pending one counts as failed, and the next click makes it again.",
      "service/read-refund-list",
      "return { rows, isWhole: false, totalCount };",
      "return { rows, isWhole, totalCount: 0 };",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a refund that was made never counts as failed while its amount cannot be read",
    mutant(
      "unreadable-amount-proves",
      "A refund whose amount the service writes in a new form counts as failed, and the next click makes it again.",
      EVIDENCE,
      "list.isComplete && isReadable &&",
      "list.isComplete && (isReadable || others.length > 0) &&",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a refund is recognized although the host's clock is an hour ahead of the service's",
    mutant(
      "host-clock-trusted",
      "With a fast host clock a refund that was made counts as one of the dashboard, and its own request as failed.",
      READING,
      "createdAt >= refund.requestedAt - limits.serviceClockSkewMs",
      "createdAt >= refund.requestedAt - limits.clockSkewMs",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a refund requested while the host's clock was two hours ahead is made once, although the service forgot its idempotency key after 24 hours",
    mutant(
      "old-refund-sent-unread",
      "A refund requested under a wrong clock is sent again after the service dropped its key, and is made twice.",
      SEND,
      "return now < requestedAt || now >= requestedAt + limits.sendAgainUnreadMs;",
      "return now < requestedAt && limits.sendAgainUnreadMs < 0;",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "an answer that names an earlier refund is no answer, and the refund is found in the list",
    mutant(
      "earlier-refund-answers",
      "An earlier refund counts as the result of a later one, and the money of the later one is counted twice.",
      SEND,
      "known.refundId === id && known.key !== key",
      `known.refundId === id && known.key !== key && id === ""`,
    ),
  ),
  onlyBy(
    UNCLEAR,
    "when the service refunds less than was requested, the amount that went back is recorded and a repeated click refunds nothing more",
    mutant(
      "asked-amount-recorded",
      "The service refunds less than was asked for, and the order shows the whole amount as refunded.",
      SEND,
      "readAmount(await getPayment(engine, refund.paymentId), reading) ?? refund.amount",
      "reading.wireAmount === 0 ? readAmount(await getPayment(engine, refund.paymentId), reading) ?? refund.amount : refund.amount",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a service refund whose amount cannot be read is not recorded as a refund of nothing",
    mutant(
      "refund-of-nothing",
      "A dashboard refund whose amount cannot be read is recorded as a refund of nothing, and its money can be refunded again.",
      READING,
      "return amount?.minor === 0 ? null : amount;",
      "return amount;",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a payment in review that is being refunded stays refunding while one of its refunds is pending, although another one failed",
    mutant(
      "other-failure-reopens",
      "A failed refund lets the owner accept a payment whose other refund is still on its way.",
      LEARN,
      `if (payment.state !== "refunding" || all.some(hasNoResult)) return`,
      `if (payment.state !== "refunding" || (all.some(hasNoResult) && !changed.some(({ state }) => state === "failed"))) return`,
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/sync-refunds.test.ts",
    "a dashboard refund without an event is counted before another refund is sent",
    mutant(
      "refunds-unread-before-refund",
      "The owner refunds money that a colleague has already sent back in the service's dashboard.",
      REFUND,
      "if (transaction.isAssumed) return transaction;",
      "if (transaction.isAssumed ?? transaction.id) return transaction;",
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
