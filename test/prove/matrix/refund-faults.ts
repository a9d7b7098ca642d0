import type { SettingsPatch } from "@tillkit/sandbox";
import {
  type FaultRule,
  faultPerRule,
  faultsAt,
  lostAnswerThenRefusal,
  misleadingReads,
  REFUND,
  REFUND_READS,
  refusals,
  TRANSACTION_READS,
} from "./fault-rules.ts";
import type { ServiceFault } from "./faults.ts";

const HOUR_MS = 3_600_000;
const pending: SettingsPatch = { refunds: "pending" };
/** The refund takes effect, and only a read shows it. */
const lostAnswer: readonly FaultRule[] = [
  { when: "after", reset: true },
  { repeat: true, status: 404 },
];

/** No event arrives, so that only the service's answers show a refund. */
const noEvents: SettingsPatch = { delivery: { dropFirst: 20 } };
const lostRefund = lostAnswer.map((rule) => ({ ...REFUND, ...rule }));

/** Faults of POST /refunds, and of the reads that settle a refund whose answer was lost. */
export const refundFaults: Readonly<Record<string, ServiceFault>> = {
  "two-step confirmation": { settings: { confirmation: "required" }, refund: [] },
  "two-step confirmation that is lost": {
    settings: { confirmation: "required" },
    refund: faultsAt([REFUND], { when: "after", reset: true, times: 3 }),
  },
  "slow refunds": { settings: pending, refund: [] },
  "refunds reset after send": { refund: faultsAt([REFUND], { when: "after", reset: true, times: 2 }) },
  "half an answer to a refund": { refund: faultsAt([REFUND], { cutBody: true, times: 2 }) },
  // A key that the service calls reused was perhaps sent before a restore: the refund stays in doubt until the reads have settled it.
  ...faultPerRule("refunding:", refusals, (rule) => ({
    refund: faultsAt([REFUND], { ...rule, times: 2 }),
    ...(rule.code === "idempotency_key_reused" ? { refundsDownMs: HOUR_MS } : {}),
  })),
  ...Object.fromEntries(
    Object.entries(lostAnswerThenRefusal).map(([name, rules]) => [
      `a refund lands, its repeat gets ${name}`,
      { settings: noEvents, refund: rules.map((rule) => ({ ...REFUND, ...rule })) },
    ]),
  ),
  "a refund: 201 without refund_id": {
    settings: noEvents,
    refund: faultsAt([REFUND], { patch: { refund_id: null }, times: 2 }),
  },
  "a refund: 200 with {}": { settings: noEvents, refund: faultsAt([REFUND], { empty: "object", times: 2 }) },
  "a refund: 200 without a body": { settings: noEvents, refund: faultsAt([REFUND], { empty: "body", times: 2 }) },
  ...faultPerRule("reading a lost refund:", misleadingReads, (rule) => ({
    settings: pending,
    refund: [...lostRefund, ...faultsAt([...REFUND_READS, ...TRANSACTION_READS], { ...rule, times: 2 })],
  })),
  "refunds are down for 25 h after one landed": {
    settings: noEvents,
    // After 24 hours the service has forgotten the key, so the same POST would refund again.
    refund: [
      { ...REFUND, when: "after", reset: true },
      ...faultsAt([REFUND, ...REFUND_READS], { status: 503, forMs: 25 * HOUR_MS }),
    ],
    refundsDownMs: 25 * HOUR_MS,
  },
  "a lost refund is read stale": { settings: { ...noEvents, staleReadsMs: 10_000 }, refund: lostRefund },
  "a lost refund is listed a minute late": {
    settings: { ...noEvents, lists: { lateRowsMs: 60_000 } },
    refund: lostRefund,
  },
  "a lost refund in pages that shift": { settings: { ...noEvents, lists: { shiftBy: 1 } }, refund: lostRefund },
  "a lost refund in pages that lose rows": { settings: { ...noEvents, lists: { shiftBy: -1 } }, refund: lostRefund },
  "a lost refund in a list oldest first": { settings: { ...noEvents, lists: { order: "oldest" } }, refund: lostRefund },
  "a lost refund in a shuffled list": {
    settings: { ...noEvents, lists: { order: "shuffled", seed: 3 } },
    refund: lostRefund,
  },
  "a session names a declined try": { settings: { reportsDeclinedAttempt: true }, declinedFirst: true, refund: [] },
};
