import type { Clock } from "@tillkit/core";

/** A clock that jumps from event to event. It stays fast when most sleepers are aborted before they wake. */
export type SimulatedClock = Clock & {
  /** Advances the clock until `end` and wakes the due sleepers one after another. */
  runUntil(end: number): Promise<void>;
  /** Calls `ring` after `ms`; the returned function cancels the timer. */
  setTimer(ms: number, ring: () => void): () => void;
  /** When the next sleeper wakes; null: nobody sleeps. */
  nextWakeAt(): number | null;
  /** Advances the clock to its next sleeper, and wakes this one alone. */
  wakeNext(): void;
  /** Runs everything that does not sleep, also work in real time. */
  settle(): Promise<void>;
  /** When each sleeper wakes, in no order. */
  wakeTimes(): readonly number[];
  /** Stops the clock until this work in real time, such as writing a file, is done. If the work fails, `runUntil` fails. */
  waitFor(work: Promise<void>): void;
};

type Sleeper = { readonly at: number; readonly order: number; readonly ring: () => void; isCancelled: () => boolean };

/** @param start milliseconds since 1970 */
export function createSimulatedClock(start: number): SimulatedClock {
  const sleepers: Sleeper[] = [];
  const realWork = new Set<Promise<void>>();
  let time = start;
  let order = 0;

  function add(ms: number, ring: () => void, isCancelled: () => boolean): Sleeper {
    order += 1;
    const sleeper = { at: time + ms, order, ring, isCancelled };
    push(sleepers, sleeper);
    return sleeper;
  }

  function nextSleeper(): Sleeper | undefined {
    while (sleepers[0]?.isCancelled()) pop(sleepers);
    return sleepers[0];
  }

  return {
    now: () => time,
    nextWakeAt: () => nextSleeper()?.at ?? null,
    wakeTimes: () => sleepers.filter((sleeper) => !sleeper.isCancelled()).map(({ at }) => at),
    async settle() {
      await runMicrotasks();
      if (realWork.size > 0) await finish(realWork);
    },
    wakeNext() {
      const next = nextSleeper();
      if (next === undefined) return;
      pop(sleepers);
      time = Math.max(time, next.at);
      next.ring();
    },
    sleep: (ms, signal) => {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (ms <= 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        // An aborted sleeper stays in the heap and is skipped.
        add(ms, resolve, () => signal?.aborted ?? false);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    },
    setTimer: (ms, ring) => {
      const sleeper = add(ms, ring, () => false);
      return () => {
        sleeper.isCancelled = () => true;
      };
    },
    waitFor(work) {
      realWork.add(work);
      const forget = () => realWork.delete(work);
      work.then(forget, () => undefined);
    },
    async runUntil(end) {
      // Wait for one turn of the event loop, in which this process receives the messages of its parent process.
      await new Promise((resolve) => setImmediate(resolve));
      await finish(realWork);
      for (let next = sleepers[0]; next !== undefined && next.at <= end; next = sleepers[0]) {
        pop(sleepers);
        if (next.isCancelled()) continue;
        time = next.at;
        next.ring();
        await runMicrotasks();
        if (realWork.size > 0) await finish(realWork);
      }
      time = Math.max(time, end);
    },
  };
}

async function finish(realWork: ReadonlySet<Promise<void>>): Promise<void> {
  while (realWork.size > 0) {
    await Promise.race(realWork);
    await runMicrotasks();
  }
}

// Node runs every microtask, however deeply nested, before the next tick.
function runMicrotasks(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function isBefore(left: Sleeper, right: Sleeper): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}

// A binary heap: its first element wakes next.
function push(heap: Sleeper[], sleeper: Sleeper): void {
  let place = heap.length;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || isBefore(above, sleeper)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = sleeper;
}

function pop(heap: Sleeper[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    const right = heap[2 * place + 2];
    const child = left && right && isBefore(right, left) ? right : left;
    if (child === undefined || isBefore(last, child)) break;
    heap[place] = child;
    place = child === left ? 2 * place + 1 : 2 * place + 2;
  }
  heap[place] = last;
}
