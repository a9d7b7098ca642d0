import { coreFile, type Mutant, mutant, onlyBy } from "./mutant.ts";

const REFUND = "refunds/refund-payment";
const SEND = "refunds/send-refund";
const LEARN = "refunds/sync-refunds";
const EVIDENCE = "refunds/refund-evidence";
const EQUATION = "domain/equation";
const IDENTIFY = "movements/identify-transaction";
const READING = "refunds/refund-reading";
const RESTORED = "packages/core/test/recovery/restored-ledger.test.ts";
const UNCLEAR = "packages/core/test/refunds/unclear-refund.test.ts";

/** Mutants of refunds, each of which must be made once. */
export const refunding: readonly Mutant[] = [
  onlyBy(
    RESTORED,
    "nothing more is refunded while the service counts a refund that it does not list, because it may be the forgotten one",
    mutant(
      "hidden-refund-uncounted",
      "After a restore, an owner who clicks again refunds once more what the service's list hides.",
      "refunds/read-before-refund",
      "if (unexplained <= 0 ||",
      "if (unexplained > 0 || unexplained <= 0 ||",
    ),
  ),
  onlyBy(
    RESTORED,
    "a refund of a session that was paid twice is not made again from its other transaction where the service drops marks",
    mutant(
      "other-transaction-refunded-again",
      "After a restore, the same decision refunds the session's other transaction as well.",
      "refunds/choose-transaction",
      "if (!ofOthers.some((refund) => sameMoney(refund.amount, amount))) return false;",
      "if (ofOthers.length >= 0) return false;",
    ),
  ),
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
  onlyBy(
    "packages/core/test/refunds/refund-payment.test.ts",
    "a refund in doubt is settled by the worker without another click",
    mutant(
      "refund-key-anew",
      "Every retry of a refund makes another refund.",
      SEND,
      "service.refund({ paymentId, request, key: unmarkedKey ?? refund.key, account, ...call })",
      "service.refund({ paymentId, request, key: refund.key + engine.random.uuid(), account, ...call })",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-in-doubt.test.ts",
    "is in doubt until the service's list shows it, and has not failed",
    mutant(
      "known-key-is-failure",
      "A refund that a restored ledger has forgotten counts as failed, and the owner makes it again.",
      SEND,
      `  if (code === "refund_key_reused") return await afterRefusedRepeat(engine, refund);\n`,
    ),
  ),
  mutant(
    "doubt-is-failure",
    "A refund whose answer was lost counts as failed, and the next click makes it again.",
    SEND,
    `!== "refund_reason_refused") return await recordRefund(engine, { ...refund, state: "unknown" });`,
    `!== "refund_reason_refused") return await recordRefund(engine, { ...refund, state: "failed" });`,
  ),
  mutant(
    "doubt-is-success",
    "A refund whose answer was lost counts as completed, although it may not have been made.",
    SEND,
    `!== "refund_reason_refused") return await recordRefund(engine, { ...refund, state: "unknown" });`,
    `!== "refund_reason_refused") return await recordRefund(engine, { ...refund, state: "completed" });`,
  ),
  {
    id: "pending-is-back",
    breaks: "A pending refund counts as completed, even if it fails later.",
    edits: [
      {
        file: coreFile(EQUATION),
        find: `refunds.filter(({ state }) => state === "completed")`,
        replace: `refunds.filter(({ state }) => state === "completed" || state === "pending")`,
      },
      {
        file: coreFile(EQUATION),
        find: "refunds.filter(hasNoResult)",
        replace: `refunds.filter((refund) => hasNoResult(refund) && refund.state !== "pending")`,
      },
    ],
    noticedBy: {
      file: UNCLEAR,
      title:
        "a payment in review that is being refunded stays refunding while one of its refunds is pending, although another one failed",
    },
  },
  mutant(
    "any-part-is-all",
    "A small refund makes the whole payment refunded.",
    LEARN,
    "if (isFullyReturned(payment, all)) return",
    `if (isFullyReturned(payment, all) || all.refunds.some(({ state }) => state === "completed")) return`,
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "money in a pending refund cannot be refunded again",
    mutant(
      "pending-refund-not-counted",
      "While one refund is pending, the same amount can be refunded again.",
      EQUATION,
      "refunds.filter(hasNoResult)",
      `refunds.filter((refund) => hasNoResult(refund) && refund.state !== "pending")`,
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund with a stored result does not become unknown when a response is lost later",
    mutant(
      "doubt-over-answer",
      "A lost answer replaces the result that another process has read, so the refund is in doubt again.",
      SEND,
      "if (!isInDoubt(stored) && !isPersonsWord) return stored;",
      `if (!isInDoubt(stored) && !isPersonsWord && refund.state !== "unknown") return stored;`,
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
    "a refund that was never made fails although another one of the same amount was made, whose mark the service drops",
    mutant(
      "one-refund-for-two",
      "One refund at the service counts as the result of two requests, and the second one is never paid.",
      READING,
      "if (known.some(({ refundId, key }) => refundId !== null && refundId === reading.id && key !== refund.key)) return false;",
      "",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund stays in doubt where the dashboard refunded the same amount two days before and the service shows it late",
    mutant(
      "older-refund-is-ours",
      "An older dashboard refund counts as the result of a refund of ours that was never made, so the store shows a refund that nobody got.",
      "refunds/refund-evidence",
      "couldBeRefund(context, refund, row) && isSinceRequest(context, refund, row);",
      "couldBeRefund(context, refund, row);",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund that was never made is sent again although the dashboard has refunded the same amount since",
    mutant(
      "dashboard-refund-is-ours",
      "A dashboard refund counts as the result of a refund of ours in doubt, which may still be made.",
      LEARN,
      "if (!mark?.isWhole && doubtful.some((refund) => couldBeInDoubt(context, refund, reading))) return null;",
      `const lost = !mark?.isWhole ? doubtful.find((refund) => couldBeInDoubt(context, refund, reading)) : undefined;
  if (lost) return changedRefund(engine, context, lost, reading);`,
    ),
  ),
  mutant(
    "unrecorded-refund-repeated",
    "An owner who got no answer clicks again days later, and the refund is made twice.",
    REFUND,
    "if (unrecorded) return await answerUnderKey(engine, unrecorded, request.key);",
  ),
  {
    id: "any-transaction-is-paid",
    breaks: "A refund of a declined transaction is requested. The service refuses it, and the shopper gets nothing.",
    edits: [
      { file: coreFile(IDENTIFY), find: "if (NOT_PAID.has(status)) {", replace: "if (NOT_PAID.has(id)) {" },
      { file: coreFile(IDENTIFY), find: "if (!PAID_STATUSES.has(status)) return null;", replace: "" },
    ],
    noticedBy: {
      file: "packages/core/test/refunds/refund-outcomes.test.ts",
      title: "a refund never uses a transaction that was declined",
    },
  },
  onlyBy(
    "packages/core/test/refunds/refund-outcomes.test.ts",
    "a refund never uses a transaction that paid another session",
    mutant(
      "transaction-of-anybody",
      "A transaction of another session, which an event named, is refunded instead of this payment's transaction.",
      IDENTIFY,
      `if (sessionId !== undefined) return sessionId === payment.session?.id ? "identity" : null;`,
      `if (sessionId !== undefined) return "identity";`,
    ),
  ),
  onlyBy(
    "packages/core/test/movements/money-of-others.test.ts",
    "a person is offered only transactions of the amount that was paid",
    mutant(
      "transaction-of-a-stranger",
      "A stranger's transaction of another amount is offered as the one that paid, and the stranger gets the refund.",
      IDENTIFY,
      "return gross !== null && isLater && sameMoney(gross, receivedOrDue(payment));",
      "return gross !== null && isLater;",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a refund that was made never counts as failed while the list skips it",
    mutant(
      "list-alone-proves",
      "A refund that a page of the service's list skips counts as failed, and the next click makes it again.",
      EVIDENCE,
      "list.isComplete && !rows.some(mayBeIt) && leavesNoRoom(refund, context, transaction, list)",
      "list.isComplete && !rows.some(mayBeIt)",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a pending refund never counts as failed while rows of the service's list cannot be read",
    mutant(
      "cut-list-proves",
      "A pending refund in an unreadable row of the service's list counts as failed, and the next click makes it again.",
      EVIDENCE,
      "list.isComplete && !rows.some(mayBeIt)",
      "!rows.some(mayBeIt)",
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
  {
    id: "unreadable-amount-proves",
    breaks:
      "A refund whose amount the service writes in a new form counts as failed, and the next click makes it again.",
    edits: [
      {
        file: coreFile(READING),
        find: "return amount === null || amount.minor === refund.amount.minor;",
        replace: "return amount?.minor === refund.amount.minor;",
      },
      {
        file: coreFile(EVIDENCE),
        find: "(hasUnreadable && unexplained > 0 && unexplained < refund.amount.minor)",
        replace: "hasUnreadable",
      },
    ],
    noticedBy: {
      file: UNCLEAR,
      title: "a refund that was made never counts as failed while neither its amount nor its mark can be read",
    },
  },
  onlyBy(
    UNCLEAR,
    "a refund whose mark the service drops is recognized although the host's clock is an hour ahead of the service's",
    mutant(
      "host-clock-trusted",
      "With a fast host clock a refund that was made counts as one of the dashboard, and its own request as failed.",
      READING,
      "(wasAhead ? Math.min(start, requestedAt) : requestedAt) - limits.serviceClockSkewMs;",
      "(wasAhead ? Math.min(start, requestedAt) : requestedAt) - limits.clockSkewMs;",
    ),
  ),
  onlyBy(
    UNCLEAR,
    "a refund requested while the host's clock was two hours ahead is made once, although the process was down until the service had forgotten its idempotency key",
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
      `if (other && other.origin !== "service") return await afterRefusedRepeat(engine, refund);`,
      "",
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
      `if (payment.state !== "refunding" || all.refunds.some(hasNoResult)) return`,
      `if (payment.state !== "refunding" || (all.refunds.some(hasNoResult) && !all.refunds.some(({ state }) => state === "failed"))) return`,
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/sync-refunds.test.ts",
    "a dashboard refund without an event is counted before another refund is sent",
    mutant(
      "refunds-unread-before-refund",
      "The owner refunds money that a colleague has already sent back in the service's dashboard.",
      REFUND,
      "if (read.isRead) return",
      "if (read.isRead || movements.transactions.length > 0) return",
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
