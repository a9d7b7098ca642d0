import { addHistory, type SimulationWorld } from "../simulator/simulation-world.ts";
import { mix, textOf } from "./digest.ts";
import { type OutgoingCall, startExploredProcess } from "./explored-ports.ts";
import type { ExploredProcess } from "./explored-process.ts";
import { errorOf, type Fault, type Freeze, nameOfFault } from "./faults.ts";
import { createParkedSteps, type ParkedSteps } from "./parked-steps.ts";
import { createStateCells, type StateCells } from "./state-cells.ts";
import { nameOfStep, type ParkedStep, type Result } from "./step.ts";

/** One run of a scenario: its world, its processes, and the calls that wait for their turn. */
export type Stage = {
  readonly world: SimulationWorld;
  readonly processes: ExploredProcess[];
  readonly parked: ParkedSteps;
  readonly cells: StateCells;
  /** The process that ran last: its next step is the default. */
  lastProcess: ExploredProcess | null;
  /** Whether the history names each step. */
  readonly isTold: boolean;
  lastFaultAt: number;
  hadFault: boolean;
  readonly dead: ExploredProcess[];
  /** When the next job is due, and of which queue that was read. */
  nextJob: { readonly queue: number; readonly dueAt: number | null };
  /** The number of acts that have begun and not ended. */
  actsUnderWay: number;
  /** Whether states are compared: what happened before is the same for all schedules, and what comes later is decided. */
  isCompared: boolean;
  /** All processes are stopped and start again. */
  restartAll(): void;
};

const PROCESSES = 2;

export function createStage(world: SimulationWorld, isTold: boolean): Stage {
  const stage: Stage = {
    world,
    processes: [],
    parked: createParkedSteps(),
    cells: createStateCells(),
    lastProcess: null,
    isTold,
    lastFaultAt: world.clock.now(),
    hadFault: false,
    dead: [],
    nextJob: { queue: Number.NaN, dueAt: null },
    actsUnderWay: 0,
    isCompared: false,
    restartAll: () => {
      for (const process of [...stage.processes]) kill(stage, process);
    },
  };
  for (let slot = 0; slot < PROCESSES; slot += 1) start(stage, slot);
  return stage;
}

function start(stage: Stage, slot: number): void {
  const { world, processes, dead } = stage;
  const count = dead.length + processes.length;
  const name = `process ${slot + 1}${"'".repeat(dead.filter((one) => one.slot === slot).length)}`;
  const process = startExploredProcess(world, { slot, name, count }, (outgoing) => park(stage, outgoing));
  processes[slot] = process;
  world.processes[slot] = { ...process, now: world.clock.now, isAsleep: () => isFrozen(stage, process) };
}

export function isFrozen({ world }: Pick<Stage, "world">, { frozenUntil }: ExploredProcess): boolean {
  return frozenUntil > world.clock.now();
}

function park(stage: Stage, { process, call, ...outgoing }: OutgoingCall): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (!process.handle.isAlive()) return;
    const step: ParkedStep = {
      ...outgoing,
      process,
      perform: async () => await call(),
      answer: (result) =>
        deliver(stage, process, outgoing.method, result, () =>
          "error" in result ? reject(result.error) : resolve(result.value),
        ),
    };
    // Where nothing is decided, nothing waits.
    if (stage.isCompared) stage.parked.add(step);
    else releaseAtOnce(stage, step);
  });
}

// A dead process hears nothing, and a frozen one hears it once it is awake.
function deliver(stage: Stage, process: ExploredProcess, method: string, result: Result, resume: () => void): void {
  const { clock } = stage.world;
  if (!process.handle.isAlive()) return;
  if (isFrozen(stage, process)) {
    const again = () => deliver(stage, process, method, result, resume);
    clock.setTimer(process.frozenUntil - clock.now(), again);
    return;
  }
  if (stage.isCompared) {
    const text = "error" in result ? String(result.error) : textOf(result.value);
    process.digest = mix(process.digest, `${clock.now()} ${method} ${text}`);
  }
  resume();
}

/** Performs a step, with a fault of its own or without, and lets its answer arrive. */
export function release(stage: Stage, step: ParkedStep, fault: Fault | null): void {
  tell(stage, step, fault);
  if (fault !== null) recordFault(stage, fault);
  if (fault !== null && isFreeze(fault)) freeze(stage, step, fault);
  else {
    stage.parked.remove(step);
    send(stage, step, fault);
  }
}

function releaseAtOnce(stage: Stage, step: ParkedStep): void {
  tell(stage, step, null);
  send(stage, step, null);
}

function tell(stage: Stage, step: ParkedStep, fault: Fault | null): void {
  if (stage.isTold) addHistory(stage.world, `${nameOfStep(step)}${fault ? ` ✗ ${nameOfFault(fault)}` : ""}`);
  if (step.process !== null) stage.lastProcess = step.process;
}

function isFreeze(fault: Fault): fault is Freeze {
  return fault.kind === "frozen" || fault.kind === "suspended";
}

function recordFault(stage: Stage, fault: Fault): void {
  const endsAt = stage.world.clock.now() + ("ms" in fault ? fault.ms : 0);
  stage.lastFaultAt = Math.max(stage.lastFaultAt, endsAt);
  stage.hadFault = true;
}

function send(stage: Stage, step: ParkedStep, fault: Exclude<Fault, Freeze> | null): void {
  switch (fault?.kind) {
    case "fails":
      step.answer({ error: errorOf(step.port, false) });
      break;
    case "answer-lost":
      void perform(stage, step, 0).then((result) => step.answer(lost(step, result)));
      break;
    case "works":
    case "works-alone":
      stage.world.clock.setTimer(fault.ms, () => void perform(stage, step, 0));
      if (step.process !== null && fault.kind === "works-alone") kill(stage, step.process);
      break;
    case "crash":
    case "dies":
      void perform(stage, step, fault.kind === "dies" ? fault.ms : 0);
      if (step.process !== null) kill(stage, step.process);
      break;
    default:
      void perform(stage, step, fault?.ms ?? 0).then((result) => step.answer(result));
  }
}

function lost({ port }: ParkedStep, result: Result): Result {
  return "error" in result ? result : { error: errorOf(port, true) };
}

async function perform(stage: Stage, step: ParkedStep, lateMs: number): Promise<Result> {
  const { world, cells } = stage;
  const { port, method, process, given, isWrite } = step;
  try {
    const answer = port === "service" ? performAtService(world, step, lateMs) : performInShop(stage, step, lateMs);
    // What a function does follows from what its process knows.
    const content = () =>
      `${world.clock.now()} ${lateMs} ${method} ${textOf(given)} ${given.some(isFunction) ? process?.digest : ""}`;
    if (stage.isCompared && isWrite && port === "service") cells.change("service", content());
    if (stage.isCompared && isWrite && (port === "shop" || port === "work")) cells.change("shop", content());
    const value = await answer;
    if (port === "ledger") cells.recordLedgerCall(method, given, value, world.clock.now());
    return { value };
  } catch (error) {
    return { error };
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function performAtService(world: SimulationWorld, step: ParkedStep, lateMs: number): Promise<unknown> {
  const { hazards } = world;
  // The service reads its latency when a call begins.
  world.hazards = { ...hazards, service: { ...hazards.service, latencyMs: lateMs } };
  const answer = step.perform();
  world.hazards = hazards;
  return answer;
}

function performInShop(stage: Stage, step: ParkedStep, lateMs: number): Promise<unknown> {
  const { store } = stage.world;
  const { port, method, isWrite } = step;
  if (port !== "shop" || !isWrite) return step.perform();
  const isTwoSteps = store.kind === "own" || (store.kind === "read-then-write" && method === "putOrder");
  const late = lateMs > 0 ? { lateMs } : {};
  if (isTwoSteps) store.failNextWrite({ ...late, until: () => workOf(stage, step, lateMs > 0) });
  else if (lateMs > 0) store.failNextWrite({ lateMs });
  return step.perform();
}

/** What the shop does between reading its order and writing it. */
function workOf({ parked }: Stage, { process, method }: ParkedStep, isLate: boolean): Promise<void> {
  return new Promise((resolve) => {
    const work = { port: "work", method, process, isWrite: true, given: [], isLate } as const;
    parked.add({ ...work, perform: async () => resolve(), answer: () => undefined });
  });
}

function freeze({ world }: Stage, { process }: ParkedStep, { kind, ms }: Freeze): void {
  if (process === null) return;
  process.frozenUntil = world.clock.now() + ms;
  if (kind === "suspended") {
    process.suspendedMs += ms;
    world.lastWakeAt = process.frozenUntil;
  }
  // The clock stops when the process wakes up.
  world.clock.setTimer(ms, () => undefined);
}

function kill(stage: Stage, process: ExploredProcess): void {
  if (!process.handle.isAlive()) return;
  process.handle.kill();
  stage.parked.removeOf(process);
  stage.dead.push(process);
  stage.world.crashes += 1;
  start(stage, process.slot);
  if (stage.lastProcess === process) stage.lastProcess = null;
}

/** Everything that what happens next depends on. */
export function stateOf({
  world,
  processes,
  dead,
  parked,
  cells,
  lastProcess,
  lastFaultAt,
  actsUnderWay,
}: Stage): string {
  const now = world.clock.now();
  const ofProcess = ({ name, digest, frozenUntil, suspendedMs, isPolling }: ExploredProcess) =>
    `${name}:${digest}:${Math.max(frozenUntil, now)}:${suspendedMs}:${isPolling}`;
  const timers = [...world.clock.wakeTimes()].sort().join(",");
  const steps = parked.all().map(nameOfStep).join(",");
  return `${now}|${cells.text()}|${[...processes, ...dead].map(ofProcess).join("|")}|${steps}|${timers}|${lastProcess?.name}|${lastFaultAt}|${actsUnderWay}`;
}
