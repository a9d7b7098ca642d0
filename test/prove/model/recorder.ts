import type { Clock, Payment } from "@tillkit/core";
import { type Change, formatJobError } from "@tillkit/core/ledger";
import type { MemoryLedger } from "@tillkit/core/memory";
import type { Evidence } from "@tillkit/testkit/simulator";

/** Records the facts of a history that the invariants need. */
export type Recorder = {
  readonly stateChanges: Evidence["stateChanges"][number][];
  webhooks: Evidence["webhooks"][number][];
  /** The refunds and disputes that accepted events reported. */
  readonly reports: Evidence["memory"]["reported"][number][];
  readonly moneyFacts: Evidence["moneyFacts"];
  readonly decisions: Evidence["decisions"][number][];
  readonly acceptances: Evidence["acceptances"][number][];
  readonly recordedRefunds: Evidence["recordedRefunds"][number][];
  /** When the ledger was last restored or its payments deleted. Null: never. */
  restoredAt: number | null;
  /** The payments that a signal has named since. */
  readonly remembered: Set<string>;
  readonly output: string[];
  /** Errors without a code, with their stack. */
  readonly unexpected: string[];
  /** Dead-letter jobs by id. */
  readonly deadJobs: Map<string, Evidence["deadJobs"][number]>;
  /** The number of signals by payment. The key null counts the signals that named no payment. */
  readonly signals: Map<string | null, number>;
  /** The number of started checkouts. */
  starts: number;
  /** The amount of work that is repeated after a fault or a concurrent change. */
  retries: number;
  signal(paymentId: string | null): void;
  /** What was observed of a ledger is no history of the one that replaces it. */
  forgetLedger(): void;
  /** Wraps the ledger and records its commits. */
  observe(ledger: MemoryLedger): MemoryLedger;
};

export function createRecorder(clock: Clock): Recorder {
  const states = new Map<string, Payment["state"]>();
  const recorder: Recorder = {
    stateChanges: [],
    webhooks: [],
    reports: [],
    moneyFacts: { namedTransactions: [], refundCommits: [], disputeReports: [], confirmations: [] },
    decisions: [],
    acceptances: [],
    recordedRefunds: [],
    restoredAt: null,
    remembered: new Set(),
    output: [],
    unexpected: [],
    deadJobs: new Map(),
    signals: new Map(),
    starts: 0,
    retries: 0,
    signal: (paymentId) => void recorder.signals.set(paymentId, (recorder.signals.get(paymentId) ?? 0) + 1),
    forgetLedger() {
      recorder.restoredAt = clock.now();
      recorder.remembered.clear();
      recorder.stateChanges.length = 0;
      recorder.reports.length = 0;
      recorder.webhooks = recorder.webhooks.map((webhook) => ({ ...webhook, paymentId: null }));
      states.clear();
    },
    observe: (ledger) => ({
      ...ledger,
      async commit(change) {
        const before = await moneyBefore(ledger, change);
        const answer = await ledger.commit(change);
        if (answer !== "done") recorder.retries += 1;
        else {
          recordCommit(change);
          recordMoney(recorder.moneyFacts, change, before, clock.now());
        }
        return answer;
      },
    }),
  };

  function recordCommit({ payment, retried = [] }: Parameters<MemoryLedger["commit"]>[0]): void {
    if (payment) {
      const { id, state } = payment.next;
      const before = states.get(id);
      states.set(id, state);
      if (before !== undefined && before !== state)
        recorder.stateChanges.push({ paymentId: id, from: before, to: state, at: clock.now() });
    }
    for (const { id, dueAt, error } of retried) {
      recorder.retries += 1;
      if (dueAt === null) recorder.deadJobs.set(id, { kind: "job", paymentId: null, reason: formatJobError(error) });
      else recorder.deadJobs.delete(id);
    }
  }

  return recorder;
}

type MoneyBefore = Pick<Evidence["moneyFacts"]["refundCommits"][number], "refunds" | "disputes">;

/** What the ledger knew right before it was asked for a refund. Null: the change asks for none. */
async function moneyBefore(ledger: MemoryLedger, { refunds = [] }: Change): Promise<MoneyBefore | null> {
  const paymentId = refunds.find(({ state }) => state === "requested")?.paymentId;
  if (paymentId === undefined) return null;
  return { refunds: await ledger.refunds(paymentId), disputes: await ledger.disputes(paymentId) };
}

function recordMoney(
  facts: Evidence["moneyFacts"],
  { payment, disputes = [], refunds = [] }: Change,
  before: MoneyBefore | null,
  at: number,
): void {
  const { id: paymentId, transactionId = null } = payment?.next ?? {};
  if (paymentId !== undefined && transactionId !== null) facts.namedTransactions.push({ paymentId, transactionId, at });
  for (const { id, paymentId: disputed, status, outcome } of disputes) {
    const isLost = status !== "pending" && outcome !== "won";
    facts.disputeReports.push({ paymentId: disputed, disputeId: id, at, isLost });
  }
  for (const { key, paymentId: refunded, state, amount, transactionId: of } of before === null ? [] : refunds) {
    if (state !== "requested" || before?.refunds.some((known) => known.key === key)) continue;
    const known = before ?? { refunds: [], disputes: [] };
    facts.refundCommits.push({ at, key, paymentId: refunded, transactionId: of, amount, ...known });
  }
}
