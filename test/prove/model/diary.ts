import type { Clock, MemoryLedger, Payment } from "@tillkit/core";
import type { Evidence } from "@tillkit/testkit/simulator";

/** What happened on the way, as far as the invariants ask for it. */
export type Diary = {
  readonly moves: Evidence["stateChanges"][number][];
  readonly webhooks: Evidence["webhooks"][number][];
  readonly output: string[];
  /** Errors without a code, with where they came from. */
  readonly unexpected: string[];
  /** Jobs that gave up, by id. */
  readonly parked: Map<string, Evidence["deadJobs"][number]>;
  /** Why the service was called: by payment; `""` counts for all. */
  readonly signals: Map<string, number>;
  /** How often somebody pressed Pay. */
  starts: number;
  /** Work that failed or met somebody else, and is done again. */
  retries: number;
  signal(paymentId: string): void;
  /** The ledger, with a look at what is committed. */
  keep(ledger: MemoryLedger): MemoryLedger;
};

export function openDiary(clock: Clock): Diary {
  const states = new Map<string, Payment["state"]>();
  const diary: Diary = {
    moves: [],
    webhooks: [],
    output: [],
    unexpected: [],
    parked: new Map(),
    signals: new Map(),
    starts: 0,
    retries: 0,
    signal: (paymentId) => void diary.signals.set(paymentId, (diary.signals.get(paymentId) ?? 0) + 1),
    keep: (ledger) => ({
      ...ledger,
      async commit(change) {
        const answer = await ledger.commit(change);
        if (answer !== "done") diary.retries += 1;
        else note(change);
        return answer;
      },
    }),
  };

  function note({ payment, retried = [] }: Parameters<MemoryLedger["commit"]>[0]): void {
    if (payment) {
      const { id, state } = payment.next;
      const before = states.get(id);
      states.set(id, state);
      if (before !== undefined && before !== state)
        diary.moves.push({ paymentId: id, from: before, to: state, at: clock.now() });
    }
    for (const { id, dueAt, error } of retried) {
      diary.retries += 1;
      if (dueAt === null) diary.parked.set(id, { kind: "job", paymentId: null, reason: error });
      else diary.parked.delete(id);
    }
  }

  return diary;
}
