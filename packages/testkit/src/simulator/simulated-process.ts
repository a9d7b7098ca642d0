import {
  type Clock,
  createEngine,
  type Engine,
  type EngineOptions,
  type Environment,
  type Log,
  type StoreAdapter,
} from "@tillkit/core";
import type { Tenants } from "@tillkit/core/hosts";
import { type CrashPoint, createKillableProcess, type KillableProcess } from "../killable-process.ts";
import { HOUR } from "./hazards/durations.ts";
import { randomMs } from "./hazards/random-choice.ts";
import type { SimulatedApp, SimulatedProcess } from "./simulated-app.ts";
import { withFreezes } from "./simulated-ledger.ts";
import { createSleep } from "./simulated-sleep.ts";
import type { SimulatedLedger, SimulationWorld } from "./simulation-world.ts";
import { withStoreFaults } from "./store-faults.ts";
import { type Method, withMethods } from "./with-methods.ts";

export type ProcessOptions = {
  readonly name: string;
  /** The ledger with its faults. */
  readonly ledger: SimulatedLedger;
  readonly adapt: (adapter: StoreAdapter) => StoreAdapter;
  readonly createApp: (engine: Engine) => SimulatedApp;
};

/** The API key and the environment of the simulated shop. */
export const CREDENTIAL_ID = "key";
export const ENVIRONMENT: Environment = "test";

export function startProcess(
  world: SimulationWorld,
  { name, ledger, adapt, createApp }: ProcessOptions,
): SimulatedProcess {
  const { random, clock } = world;
  const { time } = world.hazards;
  const handle = createKillableProcess(() => crashPointOf(world));
  // Wrapping is slow, so wrap the ports only if the process can die.
  const canDie =
    world.hazards.crash > 0 ||
    world.hazards.kills > 0 ||
    world.hazards.money.restore !== null ||
    time.diesMeanwhile > 0;
  const wrapDying = <Port extends object>(port: Port) => (canDie ? wrapMethods(handle, port) : port);
  const sleep = createSleep(world, name, handle.isAlive);
  const canSleep = time.sleeps.probability > 0 || time.sleeps.atDecisions > 0;
  const wrap = <Port extends object>(port: Port) => (canSleep ? sleep.wrap(wrapDying(port)) : wrapDying(port));
  const skewMs = clockOffset(world);
  const now = () => clock.now() + world.clockAheadMs + (clock.now() < world.faultsEndAt ? skewMs : 0);
  const wrappedClock = wrapDying(clock);
  // A call with a deadline sets a timer before the call and cancels the timer afterwards. The process may crash at both times.
  const { crashOrContinue } = wrapDying({ crashOrContinue: async () => {} });
  const setTimer = canSleep ? sleep.setTimer : clock.setTimer;
  // Only sleeping is a crash point; reading the time is not.
  const ownClock: Clock = {
    now,
    sleep: wrappedClock.sleep,
    setTimer: (ms, ring) => {
      void crashOrContinue();
      const cancelTimer = setTimer(ms, () => handle.isAlive() && ring());
      return () => {
        cancelTimer();
        void crashOrContinue();
      };
    },
  };
  // The adapter starts in the moment in which the engine calls it; the calls of its own ports may sleep.
  const adapter = wrapDying(
    adapt(observeRefunds(world, world.store.connect(withStoreFaults(world, wrap, handle.kill)))),
  );
  const engine = createProcessEngine(world, {
    name,
    ledger: wrap(withFreezes(world, ledger)),
    service: wrap(world.service.port),
    adapter,
    clock: ownClock,
    random,
  });
  return { app: createApp(engine), engine, handle, now, isAsleep: sleep.isAsleep };
}

type EnginePorts = Pick<EngineOptions, "ledger" | "clock" | "random"> & {
  readonly name: string;
  readonly service: SimulationWorld["service"]["port"];
  readonly adapter: StoreAdapter;
};

/** The production engine of one process of the simulated shop. */
export function createProcessEngine(world: SimulationWorld, { name, service, adapter, ...ports }: EnginePorts): Engine {
  return createEngine({
    ...ports,
    tenants: tenantsOf(world, service),
    store: async () => adapter,
    log: logOf(world),
    referenceKeys: world.referenceKeys,
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    worker: name,
    autoRefund: world.hazards.owner.autoRefund,
  });
}

/** Records the refunds that the engine writes to the store. */
export function observeRefunds(world: SimulationWorld, adapter: StoreAdapter): StoreAdapter {
  const { recordRefund } = adapter;
  if (!recordRefund) return adapter;
  return {
    ...adapter,
    async recordRefund(refund) {
      const { paymentId, refundId, key, status, amount, ref } = refund;
      world.recordedRefunds.push({ paymentId, refundId, key, status, minor: amount.minor, at: world.clock.now() });
      const answer = await recordRefund(refund);
      const order = world.orders.find(({ placed }) => placed.ref.orderId === ref.orderId);
      if (status === "completed") order?.shopRefundIds.push(refundId);
      return answer;
    },
  };
}

function crashPointOf({ hazards, random, clock, activeUntil }: SimulationWorld): CrashPoint {
  if (hazards.crash === 0) return "none";
  // Thousands of deaths in an outage of days show nothing that a hundred do not.
  const crash = clock.now() < activeUntil + HOUR ? hazards.crash : hazards.crash / 30;
  const fraction = random.fraction();
  if (fraction >= crash) return "none";
  return fraction < crash / 2 ? "before-call" : "after-call";
}

// The proxy of `handle.wrap` creates a function at every access, which is slow, so access each method once.
function wrapMethods<Port extends object>(handle: KillableProcess, port: Port): Port {
  const wrapped = handle.wrap(port);
  return withMethods(port, (_, name) => Reflect.get(wrapped, name) as Method);
}

function clockOffset({ random, hazards }: SimulationWorld): number {
  if (hazards.skewMs === 0) return 0;
  return randomMs(random, 2 * hazards.skewMs) - hazards.skewMs;
}

function tenantsOf(world: SimulationWorld, service: SimulationWorld["service"]["port"]): Tenants {
  return {
    credentialFor: async () => ({ id: CREDENTIAL_ID, account: world.hazards.account }),
    service: async () => service,
    endpoint: async (endpointId) =>
      endpointId === "main"
        ? { secrets: world.secrets, credentialIds: [CREDENTIAL_ID], environment: ENVIRONMENT }
        : null,
  };
}

function logOf({ output }: SimulationWorld): Log {
  const write: Log["info"] = (message, fields) => void output.push(`${message} ${JSON.stringify(fields ?? {})}`);
  return { info: write, warn: write, error: write };
}
