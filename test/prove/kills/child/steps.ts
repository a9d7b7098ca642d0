import { constants, openSync, statSync, writeSync } from "node:fs";
import type { Change, PaymentLedger, Service, StoreAdapter } from "@tillkit/core";
import type { Death } from "../messages.ts";
import { isStep, type PortName } from "../ports.ts";

/** Stands at every call that the engine makes to the outside: counts it, and ends the process where it was told to. */
export type Steps = {
  ledger<Kept extends PaymentLedger>(ledger: Kept): Kept;
  service(service: Service): Service;
  store(store: StoreAdapter): StoreAdapter;
  busy(): number;
  calls(): number;
  /** How often each step was come by. */
  counts(): Readonly<Record<string, number>>;
};

/** A worker does that all the time. */
const LOOKING_FOR_WORK = "ledger.claim";

export function createSteps(death: Death | null, durable: { wal: string; note: string } | null): Steps {
  const note = durable && openSync(durable.note, constants.O_RDWR | constants.O_CREAT);
  const counts = new Map<string, number>();
  let busy = 0;
  let calls = 0;

  function diesNow(name: string, count: number): boolean {
    if (!death) return false;
    return death.step === null ? calls === death.nth : death.step === name && count === death.nth;
  }

  async function pass(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    calls += 1;
    const last = diesNow(name, count);
    if (last && death?.moment === "before") killMyself();
    const isWork = name !== LOOKING_FOR_WORK;
    if (isWork) busy += 1;
    try {
      return await run();
    } finally {
      if (isWork) busy -= 1;
      // In the same turn of the event loop as the commit: what is written later is not counted.
      if (durable && note !== null && name.startsWith("ledger.")) noteDurable(durable.wal, note);
      if (last) killMyself();
    }
  }

  // Not a step, and work all the same.
  function read(run: () => unknown): unknown {
    const answer = run();
    if (!(answer instanceof Promise)) return answer;
    busy += 1;
    return answer.finally(() => {
      busy -= 1;
    });
  }

  function watch<Port extends object>(name: PortName, port: Port): Port {
    return new Proxy(port, {
      get(target, method, receiver) {
        const value: unknown = Reflect.get(target, method, receiver);
        if (typeof value !== "function" || typeof method !== "string") return value;
        return (...given: unknown[]) => {
          const run = () => Reflect.apply(value, target, given);
          const step = `${name}.${method}`;
          if (!isStep(name, method)) return read(run);
          return pass(step === "ledger.commit" ? `${step} ${nameOfCommit(given[0] as Change)}` : step, run);
        };
      },
    });
  }

  return {
    ledger: (ledger) => watch("ledger", ledger),
    service: (service) => watch("service", service),
    store: (store) => watch("store", store),
    busy: () => busy,
    calls: () => calls,
    counts: () => Object.fromEntries(counts),
  };
}

/** By the story that it tells, else by what it changes. */
function nameOfCommit({ payment, jobs, finished, retried, timeline }: Change): string {
  const [line] = timeline;
  if (line) return line.kind;
  if (payment) {
    if (payment.next.storeWriteAt !== null) return "write noted";
    return jobs === undefined ? "write over" : "check planned";
  }
  if (finished) return "job finished";
  if (retried) return retried.some(({ dueAt }) => dueAt === null) ? "job given up" : "job retried";
  if (jobs) return "job left";
  return "something else";
}

// Nothing is flushed, closed or said, and nothing runs on until the signal has come.
function killMyself(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

// In one write of always the same length: a kill leaves the old note or the new one.
function noteDurable(wal: string, note: number): void {
  const size = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  writeSync(note, String(size).padStart(16, "0"), 0);
}
