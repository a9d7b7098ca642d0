import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const SEND_REFUND = "refunds/send-refund";
const SYNC_REFUNDS = "refunds/sync-refunds";
const WRITE_PAID = "packages/core/test/confirm/write-paid.test.ts";
const UNDER_WAY = "packages/core/test/confirm/write-under-way.test.ts";
const CORRECTED = "packages/core/test/jobs/corrected-clock.test.ts";
const BOUNDS = "packages/core/test/refunds/bounds-of-time.test.ts";

/** Mutants of bounds of time: what is sent late, what a sleeping process brings back, and what a clock that was wrong leaves behind. */
export const timeBounds: readonly Mutant[] = [
  alsoBy(
    BOUNDS,
    "a session and a refund name the moment after which the service may have forgotten their keys",
    mutant(
      "session-sent-late",
      "A process that slept for a day opens a second session, because the service has forgotten the key of the first.",
      "sessions/open-session",
      "      sendBy: keySendBy(intent.createdAt, engine.clock.now()),\n",
    ),
  ),
  onlyBy(
    BOUNDS,
    "a refund that a clock 80 hours ahead has dated after its row is found by its mark, and never counts as failed",
    mutant(
      "refund-dated-after-its-row",
      "A refund that was made while the clock was ahead counts as failed, because its row is older than its request, and is made again.",
      SEND_REFUND,
      'if (all.kind === "made") return await recordOutcome(engine, refund, all.reading);',
      "",
    ),
  ),
  onlyBy(
    BOUNDS,
    "a refund that a clock 80 hours ahead has dated after its row stays in doubt while the list skips that row, and never counts as failed",
    mutant(
      "skipped-row-is-no-row",
      "A refund that was made while the clock was ahead counts as failed, because the list skips its row.",
      SEND_REFUND,
      '  if (all.kind !== "absent") return await recordRefund(engine, { ...refund, state: "unknown" });\n',
      "",
    ),
  ),
  onlyBy(
    BOUNDS,
    "a refund that a clock 80 hours ahead has dated is no refund of the dashboard, and is found once the clock is right",
    mutant(
      "older-row-is-the-dashboards",
      "A refund that was made while the clock was ahead is taken for one of the dashboard, counts as failed, and is made again.",
      "refunds/refund-reading",
      "  if (ours === undefined || theirs === undefined) {\n    if (!isSinceRequest(context, refund, reading)) return false;\n  } else if (ours.id !== theirs.id) return false;\n",
      "  if (!isSinceRequest(context, refund, reading)) return false;\n  if (ours !== undefined && theirs !== undefined && ours.id !== theirs.id) return false;\n",
    ),
  ),
  alsoBy(
    BOUNDS,
    "a refund that is sent again shortly before its key ends is not sent after it",
    mutant(
      "refund-sent-late",
      "A process that slept for a day makes a refund a second time, because the service has forgotten its key.",
      SEND_REFUND,
      "Math.min(keySendBy(requestedAt, engine.clock.now()), readAt + limits.refundSendMs)",
      "readAt + limits.refundSendMs",
    ),
  ),
  onlyBy(
    BOUNDS,
    "a refund whose process slept before its request is not sent after another process has settled it as never made",
    mutant(
      "refund-sent-after-settlement",
      "A process that slept makes a refund that another process has settled as never made, beside the refund that replaced it.",
      SEND_REFUND,
      "Math.min(keySendBy(requestedAt, engine.clock.now()), readAt + limits.refundSendMs)",
      "keySendBy(requestedAt, engine.clock.now())",
    ),
  ),
  onlyBy(
    BOUNDS,
    "a key that a clock ahead has dated in the future is sent no more once the clock is right",
    mutant(
      "key-of-future-fresh",
      "A process slept for a day while its clock was set back, and makes a refund a second time under a key that is forgotten.",
      "domain/limits",
      "usedAt > now + limits.clockSkewMs ? Number.NEGATIVE_INFINITY : usedAt + limits.keyLifeMs",
      "usedAt + limits.keyLifeMs",
    ),
  ),
  alsoBy(
    BOUNDS,
    "a process that slept after it had read a refund as pending does not put its result back",
    mutant(
      "result-put-back",
      "A refund that was made becomes pending again, because a process slept after it had read it.",
      SYNC_REFUNDS,
      "if (isOlder) return null;",
      "if (isOlder && stored.refundId !== id) return null;",
    ),
  ),
  alsoBy(
    BOUNDS,
    "the refunds of a payment are listed from before now, although a clock ahead had created it 80 hours later",
    mutant(
      "refunds-of-future-unread",
      "A refund of a payment that a clock ahead had dated in the future stays pending for ever.",
      SYNC_REFUNDS,
      "return start - limits.clockSkewMs > at ? 0 : start - limits.serviceClockSkewMs;",
      "return Math.max(payment.createdAt, start) - limits.serviceClockSkewMs;",
    ),
  ),
  alsoBy(
    UNDER_WAY,
    "is waited for anew where a clock that was months behind had noted its time",
    mutant(
      "write-of-past-settled",
      "A clock that was months behind noted when the shop was written to, and the money goes back while the shop still works on it.",
      "confirm/confirm-payment",
      "now - limits.unansweredWriteMs <= writeAt && writeAt <= now",
      "writeAt <= now",
    ),
  ),
  alsoBy(
    "packages/core/test/verify/unreadable-session.test.ts",
    "a payment is read on after one empty answer to a process whose clock is months ahead, and its order is paid",
    mutant(
      "closed-by-one-empty-answer",
      "One empty answer, while a clock is months ahead, ends the reads of a payment, and its order stays unpaid.",
      "verify/apply-verdict",
      "if (wasReadForLong && isGraceOver(",
      "if (isGraceOver(",
    ),
  ),
  mutant(
    "open-read-never",
    "A session that is open while a clock is months ahead is read never again, and its order stays unpaid.",
    "jobs/run-due",
    'const isShownOpen = state === "open" || state === "superseded";',
    'const isShownOpen = state === "superseded";',
  ),
  mutant(
    "replaced-read-never",
    "A shopper pays a session that was replaced while a clock was months ahead, and nobody ever sees the payment.",
    "jobs/run-due",
    'const isShownOpen = state === "open" || state === "superseded";',
    'const isShownOpen = state === "open";',
  ),
  onlyBy(
    WRITE_PAID,
    "an answer under a lost lease leaves a job that compares the order with the ledger",
    mutant(
      "late-answer-dropped",
      "A store answers a process whose lease is over, and nobody compares its order with the ledger.",
      "confirm/write-paid",
      '  if (status !== "updated") await compareLater(engine, written);\n',
    ),
  ),
  onlyBy(
    WRITE_PAID,
    "an answer under a lost lease is compared by a job of its own beside an earlier comparison, which may be about to end",
    mutant(
      "late-answer-left-to-an-older-comparison",
      "A comparison that is about to end stands for a late answer, whose effect then nobody sees.",
      "confirm/write-paid",
      ".map(({ once: _once, ...job }) => job)",
    ),
  ),
  alsoBy(
    UNDER_WAY,
    "is found: the order shows a payment whose money went back, and a person is told which order and why",
    mutant(
      "compared-and-not-told",
      "A refunded payment is found on a paid order, and nobody is told.",
      "jobs/compare-order",
      `await recordEntry(engine, payment.id, "store", { kind: "held", finding });`,
      "await Promise.resolve(recordEntry);",
    ),
  ),
  alsoBy(
    WRITE_PAID,
    "a process that slept after the commit of its intent writes nothing, because the next writer counts from the intent",
    mutant(
      "write-starts-late",
      "A process that slept before its write sends it minutes later, after another has written: stock is taken twice.",
      "stores/call-store",
      "if (isLate) throw new StoreError(",
      "if (isLate && call.length > 0) throw new StoreError(",
    ),
  ),
  alsoBy(
    UNDER_WAY,
    "holds back the owner's own refund until it has settled",
    mutant(
      "late-write-unawaited",
      "A refund goes out while a request to a store that takes late writes marks the order paid.",
      "stores/call-store",
      'return tookEffectBy(storeWriteAt, writes.kind === "conditional" ? limits.lateWriteMs : writes.settleAfterMs);',
      'return writes.kind === "conditional" ? storeWriteAt : tookEffectBy(storeWriteAt, writes.settleAfterMs);',
    ),
  ),
  onlyBy(
    UNDER_WAY,
    "a shop that refuses stale writes may work for two minutes on a request that was sent at the last moment, and nothing is refunded meanwhile",
    mutant(
      "late-write-counted-from-intent",
      "A request that was sent late marks an order paid right after its payment was refunded, because the wait began before it was sent.",
      "stores/call-store",
      "return tookEffectBy(storeWriteAt, writes.kind",
      'if (writes.kind === "conditional") return storeWriteAt + limits.lateWriteMs;\n  return tookEffectBy(storeWriteAt, writes.kind',
    ),
  ),
  alsoBy(
    "packages/core/test/memory-ledger.test.ts",
    "a job lease that a clock 80 hours ahead has given lasts a whole lease from now, and no longer",
    mutant(
      "job-lease-of-future-kept",
      "A job that a process held stays leased until the true time has reached the wrong one.",
      "memory-ledger/job-waits",
      "if (worker !== null) return now + Math.max(leaseMs, limits.jobLeaseMs);",
      "if (worker !== null && leaseMs > 0) return Number.POSITIVE_INFINITY;",
    ),
  ),
  alsoBy(
    "packages/core/test/memory-ledger.test.ts",
    "an order lease that a clock 80 hours ahead has given lasts a whole lease from now, and no longer",
    mutant(
      "order-lease-of-future-kept",
      "An order that a process held stays locked until the true time has reached the wrong one.",
      "memory-ledger/order-locks",
      "if (lease.until > latest) set(",
      "if (lease.until < latest) set(",
    ),
  ),
  onlyBy(
    BOUNDS,
    "a refund whose request a clock 80 hours ahead has dated is given up when its key is too old, and no later",
    mutant(
      "request-of-future-kept",
      "A refund that a clock ahead has dated in the future blocks every other refund until the true time has reached it.",
      "refunds/refund-reading",
      "if (refund.requestedAt <= now + limits.clockSkewMs) return refund;",
      "if (refund.requestedAt > 0) return refund;",
    ),
  ),
  mutant(
    "other-write-unawaited",
    "A refund that a slow shop still books is written a second time, and the order shows it twice.",
    "jobs/write-under-lease",
    "if (writableAt > engine.clock.now()) return",
    "if (writableAt > engine.clock.now() + 3_600_000) return",
  ),
  alsoBy(
    "packages/core/test/confirm/write-under-way.test.ts",
    "is found a quarter of an hour later too, after the order was compared once and showed nothing",
    mutant(
      "compared-once",
      "A write that takes effect a quarter of an hour too late marks a refunded order as paid, and nobody is told.",
      "jobs/compare-order",
      'return isOver && isOften ? "done"',
      'return timeline.length > 0 ? "done"',
    ),
  ),
  onlyBy(
    "packages/core/test/confirm/write-under-way.test.ts",
    "is found although the clock was a hundred days ahead when the order was first compared",
    mutant(
      "compared-by-time-alone",
      "A clock that is months ahead for minutes ends the comparison, and nobody is told of a refunded payment that its order shows.",
      "jobs/compare-order",
      "isOver && isOften ?",
      "isOver ?",
    ),
  ),
  mutant(
    "job-of-future-kept",
    "A job that a clock ahead has scheduled waits until the true time has reached the wrong one.",
    "memory-ledger/job-waits",
    "return latestDueAt({ ...job, kind }, job.paymentId === null ? null : findPayment(job.paymentId), now);",
    "return Math.max(latestDueAt({ ...job, kind }, null, now) + findPayment.length, Number.POSITIVE_INFINITY);",
  ),
  onlyBy(
    "packages/core/test/memory-ledger.test.ts",
    "a check keeps its time that a process half a minute ahead scheduled right after the one before it",
    mutant(
      "wait-of-faster-clock-shortened",
      "Every process whose clock is seconds behind reads open sessions once more between two scheduled reads.",
      "memory-ledger/job-waits",
      "Math.max(latest + limits.clockSkewMs, latestElsewhere)",
      "Math.min(latest + limits.clockSkewMs, latestElsewhere)",
    ),
  ),
  mutant(
    "waits-of-future-corrected-before",
    "A process that looked at the waits while its clock was ahead looks at none after the clock was set back.",
    "memory-ledger/job-waits",
    "correctedAt !== null && now >= correctedAt && now < correctedAt",
    "correctedAt !== null && now < correctedAt",
  ),
  alsoBy(
    "packages/core/test/jobs/corrected-clock.test.ts",
    "a platform's schedule that the wrong clock has set is followed from the true time",
    mutant(
      "schedule-of-future-followed",
      "A shop's own schedule that a clock ahead has set keeps a paid order unpaid until the true time has reached it.",
      "confirm/confirm-payment",
      "if (isTooLate) change.storeRetryAt = latestRetryAt;",
    ),
  ),
  onlyBy(
    CORRECTED,
    "a reading from before the correction is not shared with callers after it",
    mutant(
      "reading-of-future-shared",
      "A reading from a clock that was ahead counts as fresh after the clock was set back, and a payment is not seen.",
      "resilience/reading-cache",
      "return age >= 0 && age < maxAgeMs ? cached?.reading : undefined;",
      "return age < maxAgeMs ? cached?.reading : undefined;",
    ),
  ),
  alsoBy(
    "packages/core/test/confirm/write-under-way.test.ts",
    "is not followed by an automatic refund of a duplicate while the owner takes cash",
    mutant(
      "settled-too-early",
      "A write to a shop that works on it for two minutes counts as over when its sender gave up.",
      "stores/call-store",
      "limits.lateWriteMs : writes.settleAfterMs);",
      "limits.lateWriteMs : writes.settleAfterMs - limits.lateWriteMs);",
    ),
  ),
];
