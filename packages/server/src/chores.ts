import { type Clock, codeOf, type Log, resolveWithin } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { createOnceAMinute } from "./once-a-minute.ts";

/** Something that is done again and again beside the work on payments. Milliseconds. */
export type Chore = {
  readonly name: string;
  readonly firstMs: number;
  readonly everyMs: number;
  run(): Promise<void>;
};

export type Chores = {
  /** Called by the timer at each of its turns: begins what is due. */
  turn(): void;
  close(): Promise<void>;
};

/** Each chore by itself, never twice at once; one that fails is tried again at its next turn. */
export function createChores(chores: readonly Chore[], clock: Clock, log: Log): Chores {
  const turns = chores.map((chore) => createTurn(chore, clock, log));
  let isClosed = false;

  return {
    turn() {
      if (!isClosed) for (const { beginIfDue } of turns) beginIfDue();
    },
    async close() {
      isClosed = true;
      await resolveWithin(clock, hostLimits.closeMs, Promise.all(turns.map(({ underWay }) => underWay())));
    },
  };
}

function createTurn({ name, firstMs, everyMs, run }: Chore, clock: Clock, log: Log) {
  const fault = createOnceAMinute(clock);
  let dueAt: number | null = null;
  let running: Promise<void> | null = null;

  async function begin(): Promise<void> {
    await run().catch((error: unknown) => fault(() => log.error("chore.failed", { chore: name, code: codeOf(error) })));
    running = null;
  }

  return {
    beginIfDue(): void {
      const now = clock.now();
      dueAt ??= now + firstMs;
      if (running || now < dueAt) return;
      dueAt = now + everyMs;
      running = begin();
    },
    underWay: () => running,
  };
}
