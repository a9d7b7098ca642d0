import { createKillableProcess } from "../killable-process.ts";
import { createApp } from "../simulator/simulated-app.ts";
import { withLedgerFaults } from "../simulator/simulated-ledger.ts";
import { createProcessEngine, observeRefunds } from "../simulator/simulated-process.ts";
import type { SimulatedLedger, SimulationWorld } from "../simulator/simulation-world.ts";
import { SHOP_WRITES } from "../simulator/store-faults.ts";
import { type Method, withMethods } from "../simulator/with-methods.ts";
import type { WrapPort } from "../stores/miniature-store.ts";
import { createCountingRandom } from "./counting-random.ts";
import { createProcessClock, type ExploredProcess } from "./explored-process.ts";
import type { PortName } from "./step.ts";

/** A call that leaves a process. `call` performs it at the other end. */
export type OutgoingCall = {
  readonly process: ExploredProcess;
  readonly port: PortName;
  readonly method: string;
  readonly isWrite: boolean;
  readonly given: readonly unknown[];
  readonly call: () => unknown;
};

/** Parks a call until its turn comes. */
export type Park = (outgoing: OutgoingCall) => Promise<unknown>;

const LEDGER_WRITES: ReadonlySet<string> = new Set([
  "commit",
  "receive",
  "claim",
  "renewJobs",
  "lockOrder",
  "unlockOrder",
  "renewOrder",
  "put",
  "delete",
]);
const SERVICE_WRITES: ReadonlySet<string> = new Set(["openSession", "refund"]);
const LISTS: ReadonlySet<string> = new Set(["listTransactions", "listDeliveredEvents"]);
/** The methods of the ledger that answer at once, or belong to the simulation. */
const UNPARKED: ReadonlySet<string> = new Set(["onNewJobs", "close", "takeBackup", "restore"]);
/** Each process has its own ids. The names below are those of the world's sources. */
const FIRST_PROCESS_NAME = 0x100;

/** Starts a process whose every call waits for its turn. `count`: the number of processes before it. */
export function startExploredProcess(
  world: SimulationWorld,
  { slot, name, count }: { readonly slot: number; readonly name: string; readonly count: number },
  park: Park,
): ExploredProcess {
  const time = { handle: createKillableProcess(), frozenUntil: 0, suspendedMs: 0 };
  const process = { slot, name, ...time, digest: count, isPolling: false, emptyPoll: null } as ExploredProcess;
  const ledger = withMethods(withLedgerFaults(world, world.ledger as SimulatedLedger), (method, methodName) =>
    UNPARKED.has(methodName) ? method : parked("ledger", LEDGER_WRITES)(method, methodName),
  );
  const service = withMethods(world.service.port, (method, methodName) =>
    LISTS.has(methodName)
      ? (parkedList(method, methodName) as unknown as Method)
      : parked("service", SERVICE_WRITES)(method, methodName),
  );
  const wrap: WrapPort = (port, options) => {
    if (port === (world.ledger.records as object)) return withMethods(port, parked("ledger", LEDGER_WRITES));
    const reads: readonly unknown[] | undefined = options?.reads;
    const isWrite = (method: string) =>
      world.store.kind === "own" ? !(reads ?? []).includes(method) : SHOP_WRITES.has(method);
    return withMethods(port, parked("shop", { has: isWrite }));
  };
  const engine = createProcessEngine(world, {
    name,
    ledger,
    service,
    adapter: observeRefunds(world, world.store.connect(wrap)),
    clock: createProcessClock(world.clock, process),
    random: createCountingRandom(FIRST_PROCESS_NAME + count, 0.5),
  });
  return Object.assign(process, { engine, app: createApp(engine) });

  function parked(port: PortName, writes: { has(method: string): boolean }) {
    return (method: Method, name: string): Method =>
      (...given: unknown[]) =>
        park({
          process,
          port,
          method: name,
          isWrite: writes.has(name),
          given,
          call: () => method(...(given as never[])),
        });
  }

  function parkedList(method: Method, name: string) {
    return async function* list(...given: unknown[]) {
      const call = () => allOf(method(...(given as never[])) as unknown as AsyncIterable<unknown>);
      yield* (await park({ process, port: "service", method: name, isWrite: false, given, call })) as unknown[];
    };
  }
}

async function allOf(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
