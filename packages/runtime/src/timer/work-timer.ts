import { type Clock, codeOf, type Log } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import { runtimeLimits } from "../limits.ts";
import { createThrottledLog } from "../logs/throttled-log.ts";

export type WorkTimerOptions = {
  /** Starts some of the due jobs and calls `jobEnded` for each job that ends. */
  readonly startJobs: (jobEnded: () => void) => Promise<StartedJobs>;
  /** Called at each round, also while the ledger does not answer or the maximum of jobs is under way. */
  readonly onRound?: () => void;
  /** Awaited before the next round when there are more jobs; the default waits for the next turn of the event loop. */
  readonly yieldToDeliveries?: () => Promise<void>;
  readonly clock: Clock;
  /** Measures how long the ledger takes. A connection hangs in real time, even when a test moves `clock` by hand. */
  readonly realClock: Clock;
  readonly log: Log;
};

/** `finished` resolves when all of the claimed jobs have ended. */
export type StartedJobs = { readonly claimed: number; readonly finished: Promise<unknown> };

export type WorkTimer = {
  start(): void;
  /** Starts the next round at once, because a job has just come in. Does nothing before `start` and after `close`. */
  wake(): void;
  isRunning(): boolean;
  /** Milliseconds since 1970 at the start of the latest round; null before `start`. */
  lastRoundAt(): number | null;
  /** Resolves when the work under way has ended, or after ten seconds. */
  close(): Promise<void>;
};

/**
 * Starts due jobs about once a second, and at once while more jobs are due. The timer never waits for the jobs that it started: a
 * store that hangs does not hold up the other stores.
 */
export function createWorkTimer(options: WorkTimerOptions): WorkTimer {
  const { onRound, yieldToDeliveries = nextTurn, clock, realClock, log } = options;
  const closed = new AbortController();
  const jobs = createJobsInFlight(options, wake);
  let running: Promise<void> | null = null;
  let starting: Promise<number> | null = null;
  let pause = new AbortController();
  let isWoken = false;
  let lastRoundAt: number | null = null;

  async function loop(): Promise<void> {
    while (!closed.signal.aborted) {
      isWoken = false;
      lastRoundAt = clock.now();
      onRound?.();
      const claimed = jobs.hasRoom() ? await startRound() : 0;
      if (closed.signal.aborted || claimed === null) continue;
      const hasMore = claimed > 0 || (isWoken && jobs.hasRoom());
      await (hasMore ? yieldToDeliveries() : waitForNextRound());
    }
    await starting;
    await jobs.allEnded();
  }

  // Null: the ledger has not answered yet. The next call waits for the same answer.
  async function startRound(): Promise<number | null> {
    starting ??= jobs.start().finally(() => {
      starting = null;
    });
    return await resolveWithin(realClock, runtimeLimits.roundIntervalMs, starting, closed.signal);
  }

  function wake(): void {
    isWoken = true;
    // Abort with a string, and once: building the default AbortError with its stack is expensive.
    if (!pause.signal.aborted) pause.abort("woken");
  }

  async function waitForNextRound(): Promise<void> {
    pause = new AbortController();
    await clock.sleep(runtimeLimits.roundIntervalMs, pause.signal).catch(() => undefined);
  }

  return {
    start() {
      if (!closed.signal.aborted) running ??= loop();
    },
    wake,
    isRunning: () => running !== null && !closed.signal.aborted,
    lastRoundAt: () => lastRoundAt,
    async close() {
      closed.abort();
      pause.abort();
      const finished = running?.then(() => true);
      if (finished && (await resolveWithin(clock, runtimeLimits.closeTimeoutMs, finished)) === null) {
        const reason = "Jobs were still under way after ten seconds. Another process finishes them.";
        log.warn("timer.closed_early", { reason });
      }
    },
  };
}

/** The jobs that the timer has started. `onJobEnded` is called after each job, when there is room for another job. */
function createJobsInFlight({ startJobs, clock, log }: WorkTimerOptions, onJobEnded: () => void) {
  const logThrottled = createThrottledLog(clock);
  const underWay = new Set<Promise<unknown>>();
  let count = 0;

  function jobEnded(): void {
    count -= 1;
    onJobEnded();
  }

  function logFailure(error: unknown): void {
    const next = "The timer tries again every second.";
    logThrottled(() => log.error("timer.round_failed", { code: codeOf(error), next }));
  }

  return {
    hasRoom: () => count < runtimeLimits.maxJobsInFlight,
    allEnded: () => Promise.all(underWay),
    /** Returns how many jobs were started. */
    async start(): Promise<number> {
      try {
        const { claimed, finished } = await startJobs(jobEnded);
        count += claimed;
        const tracked = finished.catch(logFailure).finally(() => underWay.delete(tracked));
        underWay.add(tracked);
        return claimed;
      } catch (error) {
        logFailure(error);
        return 0;
      }
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Deliveries go before jobs: the service times out a delivery after seconds, while the job that it causes may take minutes. */
export type DeliveryPriority = {
  /** Runs `receive` and counts it as a delivery under way. */
  receive<Result>(receive: () => Promise<Result>): Promise<Result>;
  /** Resolves in a later turn of the event loop, when no delivery is under way or after `deliveryPriorityMs`. */
  yieldToDeliveries(): Promise<void>;
};

export function createDeliveryPriority(clock: Clock): DeliveryPriority {
  let underWay = 0;
  let pause: AbortController | null = null;

  return {
    async receive(receive) {
      underWay += 1;
      try {
        return await receive();
      } finally {
        underWay -= 1;
        if (underWay === 0) pause?.abort("received");
      }
    },
    async yieldToDeliveries() {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay === 0) return;
      pause = new AbortController();
      await clock.sleep(runtimeLimits.deliveryPriorityMs, pause.signal).catch(() => undefined);
      pause = null;
    },
  };
}
