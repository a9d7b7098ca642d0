import { type Clock, formatJobError, type Payment } from "@tillkit/core";
import type { MemoryLedger } from "@tillkit/core/memory";
import type { Evidence } from "@tillkit/testkit/simulator";

/** Records the facts of a history that the invariants need. */
export type Recorder = {
  readonly stateChanges: Evidence["stateChanges"][number][];
  readonly webhooks: Evidence["webhooks"][number][];
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
  /** Wraps the ledger and records its commits. */
  observe(ledger: MemoryLedger): MemoryLedger;
};

export function createRecorder(clock: Clock): Recorder {
  const states = new Map<string, Payment["state"]>();
  const recorder: Recorder = {
    stateChanges: [],
    webhooks: [],
    output: [],
    unexpected: [],
    deadJobs: new Map(),
    signals: new Map(),
    starts: 0,
    retries: 0,
    signal: (paymentId) => void recorder.signals.set(paymentId, (recorder.signals.get(paymentId) ?? 0) + 1),
    observe: (ledger) => ({
      ...ledger,
      async commit(change) {
        const answer = await ledger.commit(change);
        if (answer !== "done") recorder.retries += 1;
        else recordCommit(change);
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
