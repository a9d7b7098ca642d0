import { subscribe } from "node:diagnostics_channel";
import { constants, openSync, statSync, writeSync } from "node:fs";
import type { ClientRequest } from "node:http";
import type { PaymentLedger, StoreAdapter } from "@tillkit/core";
import type { Service } from "@tillkit/core/hosts";
import type { Change } from "@tillkit/core/ledger";
import type { CrashPoint } from "../messages.ts";
import { isStep, type PortName, shopRequest, shopStep } from "../ports.ts";
import type { Freezer } from "./freezer.ts";

/** Wraps every port of the engine: counts the calls and kills the process at its crash point. */
export type Steps = {
  ledger<LedgerPort extends PaymentLedger>(ledger: LedgerPort): LedgerPort;
  service(service: Service): Service;
  store(store: StoreAdapter): StoreAdapter;
  /** The requests of this process, of which some are steps in the life of a shop. They count as calls under way. */
  watchRequests(): void;
  busy(): number;
  calls(): number;
  /** How often each step was called. */
  counts(): Readonly<Record<string, number>>;
};

/** Workers poll with this call all the time, so it does not count as activity. */
const POLLING_STEP = "ledger.claim";

export function createSteps(
  crashPoint: CrashPoint | null,
  durable: { wal: string; record: string } | null,
  freezer: Freezer | null,
): Steps {
  const record = durable && openSync(durable.record, constants.O_RDWR | constants.O_CREAT);
  const counts = new Map<string, number>();
  let busy = 0;
  let calls = 0;
  let shopCalls = 0;

  function isCrashPoint(name: string, count: number): boolean {
    if (!crashPoint) return false;
    const { step, nth } = crashPoint;
    if (step === null) return calls === nth;
    if (step === "shops") return name.startsWith("shops.") && shopCalls === nth;
    return step === name && count === nth;
  }

  /** Counts the step. Returns whether the process kills itself after it. */
  function begin(name: string): boolean {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    calls += 1;
    if (name.startsWith("shops.")) shopCalls += 1;
    const isCrash = isCrashPoint(name, count);
    if (isCrash && crashPoint?.moment === "before") killProcess();
    return isCrash;
  }

  async function runStep(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const isCrash = begin(name);
    const isWork = name !== POLLING_STEP;
    if (isWork) busy += 1;
    try {
      await (await freezer?.prepare(name, "before"))?.();
      const freezeDuring = await freezer?.prepare(name, "during");
      const running = run();
      await freezeDuring?.();
      const answer = await running;
      await (await freezer?.prepare(name, "after"))?.();
      return answer;
    } finally {
      if (isWork) busy -= 1;
      // This runs in the turn of the event loop in which the flush ended, so the record includes no later commit. A poll is left out
      // because it may end during another call's flush.
      if (durable && record !== null && name.startsWith("ledger.") && isWork) recordDurableLength(durable.wal, record);
      if (isCrash) killProcess();
    }
  }

  // A read is not a step but counts as activity.
  function read(run: () => unknown): unknown {
    const answer = run();
    if (!(answer instanceof Promise)) return answer;
    busy += 1;
    return answer.finally(() => {
      busy -= 1;
    });
  }

  function wrapPort<Port extends object>(name: PortName, port: Port): Port {
    return wrapMethods(port, (method, given, run) => {
      if (name === "ledger" && method === "recordAct") return runStep("shops.act", run);
      const step = `${name}.${method}`;
      if (!isStep(name, method)) return read(run);
      return runStep(step === "ledger.commit" ? `${step} ${nameOfCommit(given[0] as Change)}` : step, run);
    });
  }

  /** The parts of a ledger that have rows and no payments: records, secrets and credentials. */
  function wrapRows<LedgerPort extends object>(ledger: LedgerPort): LedgerPort {
    const isRows = (value: unknown) => typeof value === "object" && value !== null;
    const parts = Object.entries(ledger).filter(([, value]) => isRows(value));
    const wrapped = parts.map(([part, rows]) => [
      part,
      wrapMethods(rows as object, (method, given, run) => {
        const step = shopStep(part, method, given[1]);
        return step === null ? read(run) : runStep(step, run);
      }),
    ]);
    return { ...ledger, ...Object.fromEntries(wrapped) };
  }

  function watchRequests(): void {
    const crashes = new WeakSet<ClientRequest>();
    subscribe("http.client.request.start", (message) => {
      const { request } = message as { readonly request: ClientRequest };
      busy += 1;
      request.once("close", () => {
        busy -= 1;
      });
      const name = shopRequest(request.method, request.path);
      if (name !== null && begin(name)) crashes.add(request);
    });
    subscribe("http.client.response.finish", (message) => {
      if (crashes.has((message as { readonly request: ClientRequest }).request)) killProcess();
    });
  }

  return {
    watchRequests,
    ledger: (ledger) => wrapPort("ledger", wrapRows(ledger)),
    service: (service) => wrapPort("service", service),
    store: (store) => wrapPort("store", store),
    busy: () => busy,
    calls: () => calls,
    counts: () => Object.fromEntries(counts),
  };
}

/** `call` gets each call of a method with its parameters and with what makes the call. */
function wrapMethods<Port extends object>(
  port: Port,
  call: (method: string, given: readonly unknown[], run: () => Promise<unknown>) => unknown,
): Port {
  return new Proxy(port, {
    get(target, method, receiver) {
      const value: unknown = Reflect.get(target, method, receiver);
      if (typeof value !== "function" || typeof method !== "string") return value;
      return (...given: unknown[]) => call(method, given, () => Reflect.apply(value, target, given));
    },
  });
}

/** A commit is named by its first timeline entry, else by what it changes. */
function nameOfCommit({ payment, jobs, finished, retried, processed, timeline }: Change): string {
  const [line] = timeline;
  if (line) return line.kind;
  if (payment) {
    if (payment.next.storeWriteAt !== null) return "write noted";
    return jobs === undefined ? "write over" : "check planned";
  }
  if (finished) return "job finished";
  if (retried) return retried.some(({ dueAt }) => dueAt === null) ? "job given up" : "job retried";
  if (jobs) return "job left";
  if (processed) return "delivery unmatched";
  return "something else";
}

// Nothing is flushed or closed, and no code runs until the signal arrives.
function killProcess(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

// One write of constant length: a kill leaves either the old or the new record.
function recordDurableLength(wal: string, record: number): void {
  const size = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  writeSync(record, String(size).padStart(16, "0"), 0);
}
