import { type Clock, codeOf, type Log } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { createOnceAMinute } from "./once-a-minute.ts";
import { within } from "./patience.ts";

/** Something that is done again and again beside the work on payments. Milliseconds. */
export type Chore = {
  readonly name: string;
  readonly firstMs: number;
  readonly everyMs: number;
  run(): Promise<void>;
};

export type Chores = { start(): void; close(): Promise<void> };

/** Each chore by itself, never twice at once; one that fails is tried again at its next turn. */
export function createChores(chores: readonly Chore[], clock: Clock, log: Log): Chores {
  const closed = new AbortController();
  let running: Promise<unknown> | null = null;

  async function repeat({ name, firstMs, everyMs, run }: Chore): Promise<void> {
    const fault = createOnceAMinute(clock);
    let waitMs = firstMs;
    while (await pause(waitMs)) {
      await run().catch((error: unknown) =>
        fault(() => log.error("chore.failed", { chore: name, code: codeOf(error) })),
      );
      waitMs = everyMs;
    }
  }

  function pause(ms: number): Promise<boolean> {
    return clock.sleep(ms, closed.signal).then(
      () => true,
      () => false,
    );
  }

  return {
    start() {
      if (!closed.signal.aborted) running ??= Promise.all(chores.map(repeat));
    },
    async close() {
      closed.abort();
      if (running) await within(clock, hostLimits.closeMs, running);
    },
  };
}
