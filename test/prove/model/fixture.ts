import { createEngine, type Engine, type Log, type Money, type StoreAdapter, verifyPayment } from "@tillkit/core";
import type { MemoryLedger } from "@tillkit/core/memory";
import {
  type CallbackStore,
  createCallbackStore,
  createKillableProcess,
  createManualClock,
  createReadThenWriteStore,
  createSeededRandom,
  createWriteOnlyStore,
  type KillableProcess,
  type ManualClock,
  type PlacedOrder,
  type ReadThenWriteStore,
  type WriteOnlyStore,
} from "@tillkit/testkit";
import { createGate, type Gate } from "./gate.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createRestorableLedger, type RestorableLedger } from "./restorable-ledger.ts";
import { createModelService, type ModelService } from "./service.ts";
import type { Script } from "./steps.ts";

export type ModelOrder = {
  placed: PlacedOrder;
  readonly totals: { readonly total: Money; readonly from: number }[];
  closedAt: number | null;
  readonly closedAttempts: string[];
  /** The refunds that the shop shows, by the service's ids. */
  readonly shopRefundIds: string[];
};

export type ModelProcess = { readonly engine: Engine; readonly handle: KillableProcess };

/** A shop, the service and two processes on one ledger. The calls listed at the end of this file wait at the gate. */
export type ModelFixture = {
  readonly clock: ManualClock;
  readonly gate: Gate;
  readonly service: ModelService;
  readonly store: CallbackStore | ReadThenWriteStore | WriteOnlyStore;
  /** The ledger that the processes use now. */
  readonly ledger: MemoryLedger;
  readonly backups: RestorableLedger;
  readonly orders: ModelOrder[];
  /** The ids of the payments whose hosted page a shopper was sent to, oldest first. */
  readonly payments: string[];
  readonly processes: ModelProcess[];
  readonly recorder: Recorder;
  /** The actions that still wait for their answer. */
  readonly pending: Set<Promise<unknown>>;
  /** The Member Account that the key acts for. */
  readonly account: string | null;
  readonly startedAt: number;
  restart(index: number): void;
};

const REFERENCE_KEY = "reference key of the model, of no real shop";

export async function openFixture(script: Script): Promise<ModelFixture> {
  const { store: kind, orders, account, shopLatencyMs } = script;
  const clock = createManualClock(Date.UTC(2026, 2, 1));
  const backups = createRestorableLedger();
  const { records } = backups.current();
  const recorder = createRecorder(clock);
  const service = createModelService(clock, script.service);
  const gate = createGate();
  const random = createSeededRandom(1);
  const store = openStore();
  const processes: ModelProcess[] = [];
  const fixture: ModelFixture = {
    clock,
    gate,
    service,
    store,
    get ledger() {
      return backups.current();
    },
    backups,
    orders: [],
    payments: [],
    processes,
    recorder,
    pending: new Set(),
    account,
    startedAt: clock.now(),
    restart(index) {
      processes[index]?.handle.kill();
      processes[index] = start(`${index} since ${clock.now()}`);
    },
  };
  for (const index of [0, 1]) fixture.restart(index);
  for (let index = 0; index < orders; index += 1) {
    const total = index % 2 === 0 ? { minor: 5_000, currency: "XOF" } : { minor: 1_999, currency: "USD" };
    const placed = await store.placeOrder({ total, title: `Order ${index}`, language: "en" });
    fixture.orders.push({
      placed,
      totals: [{ total, from: clock.now() }],
      closedAt: null,
      closedAttempts: [],
      shopRefundIds: [],
    });
  }
  store.setLatency(shopLatencyMs);
  return fixture;

  function openStore(): ModelFixture["store"] {
    if (kind === "read-then-write") return createReadThenWriteStore({ clock });
    if (kind === "write-only") return createWriteOnlyStore({ clock, records });
    // The shop's callback could reach any process. The model uses the first.
    return createCallbackStore({ clock, authorize: (id) => verifyPayment(engineOf(fixture, 0), id) });
  }

  function start(worker: string): ModelProcess {
    const handle = createKillableProcess();
    const adapter = handle.wrap(gate.guard(observeRefunds(store.connect()), STORE_CALLS));
    const port = handle.wrap(gate.guard(service.port, SERVICE_CALLS));
    const engine = createEngine({
      ledger: handle.wrap(gate.guard(recorder.observe(backups.connect()), LEDGER_CALLS)),
      tenants: {
        credentialFor: async () => ({ id: "key", account }),
        service: async () => port,
        endpoint: async () => ({ secrets: service.secrets(), credentialIds: ["key"], environment: "test" }),
      },
      store: async () => adapter,
      clock: { now: clock.now, sleep: handle.wrap(clock).sleep },
      random,
      log: logTo(recorder.output),
      referenceKeys: [REFERENCE_KEY],
      returnUrls: ({ id }) => ({ success: `https://shop.example/${id}`, cancel: "https://shop.example/cancel" }),
      worker,
    });
    return { engine, handle };
  }

  /** Records the refunds that the engine writes to the shop. */
  function observeRefunds(adapter: StoreAdapter): StoreAdapter {
    const { recordRefund } = adapter;
    if (!recordRefund) return adapter;
    return {
      ...adapter,
      async recordRefund(refund) {
        const { paymentId, refundId, key, status, amount, ref } = refund;
        recorder.recordedRefunds.push({ paymentId, refundId, key, status, minor: amount.minor });
        const answer = await recordRefund(refund);
        const order = fixture.orders.find(({ placed }) => placed.ref.orderId === ref.orderId);
        if (status === "completed") order?.shopRefundIds.push(refundId);
        return answer;
      },
    };
  }
}

const STORE_CALLS: readonly (keyof StoreAdapter)[] = [
  "findOrder",
  "markPaid",
  "holdForReview",
  "addNote",
  "markPending",
];
const SERVICE_CALLS: readonly (keyof ModelService["port"])[] = [
  "openSession",
  "readSession",
  "refund",
  "readRefunds",
  "readTransaction",
];
// The calls at which two processes can conflict.
const LEDGER_CALLS: readonly (keyof MemoryLedger)[] = ["commit", "lockOrder"];

export function engineOf({ processes }: ModelFixture, processIndex: number): Engine {
  return (processes[processIndex] ?? throwMissing()).engine;
}

function logTo(output: string[]): Log {
  const write = (message: string, fields?: object) => void output.push(`${message} ${JSON.stringify(fields ?? {})}`);
  return { info: write, warn: write, error: write };
}

function throwMissing(): never {
  throw new Error("The model lost an object that must exist.");
}
