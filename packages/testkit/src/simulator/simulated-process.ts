import { type Clock, createEngine, type Engine, type Log, type StoreAdapter, type Tenants } from "@tillkit/core";
import { type CrashPoint, createKillableProcess, type KillableProcess } from "../killable-process.ts";
import { randomMs } from "./hazards/random-choice.ts";
import type { SimulatedApp, SimulatedProcess } from "./simulated-app.ts";
import { withFreezes } from "./simulated-ledger.ts";
import type { SimulatedLedger, SimulationWorld } from "./simulation-world.ts";
import { withStoreFaults } from "./store-faults.ts";

export type ProcessOptions = {
  readonly name: string;
  /** The ledger with its faults. */
  readonly ledger: SimulatedLedger;
  readonly adapt: (adapter: StoreAdapter) => StoreAdapter;
  readonly createApp: (engine: Engine) => SimulatedApp;
};

export function startProcess(
  world: SimulationWorld,
  { name, ledger, adapt, createApp }: ProcessOptions,
): SimulatedProcess {
  const { random, clock } = world;
  const handle = createKillableProcess(() => crashPointOf(world));
  // Without crashes and kills, the ports need no wrapping.
  const isMortal = world.hazards.crash > 0 || world.hazards.kills > 0;
  const wrap = <Port extends object>(port: Port) => (isMortal ? bindMethods(handle, port) : port);
  const skewMs = clockOffset(world);
  const now = () => clock.now() + (clock.now() < world.faultsEndAt ? skewMs : 0);
  const wrappedClock = wrap(clock);
  // Extra crash points right before and right after a call with a deadline, where a crash is worst.
  const checkpoints = wrap({ step: async () => {} });
  // Only sleeping is a crash point; reading the time is not.
  const ownClock: Clock = {
    now,
    sleep: wrappedClock.sleep,
    setTimer: (ms, ring) => {
      void checkpoints.step();
      const cancelTimer = clock.setTimer(ms, () => handle.isAlive() && ring());
      return () => {
        cancelTimer();
        void checkpoints.step();
      };
    },
  };
  const adapter = wrap(adapt(observeRefunds(world, world.store.connect(withStoreFaults(world, wrap)))));
  const engine = createEngine({
    ledger: wrap(withFreezes(world, ledger)),
    tenants: tenantsOf(world, wrap(world.service.port)),
    store: async () => adapter,
    clock: ownClock,
    random,
    log: logOf(world),
    referenceKeys: world.referenceKeys,
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    worker: name,
    autoRefund: world.hazards.owner.autoRefund,
  });
  return { app: createApp(engine), engine, handle, now };
}

/** Records the refunds that the engine writes to the store. */
function observeRefunds(world: SimulationWorld, adapter: StoreAdapter): StoreAdapter {
  const { recordRefund } = adapter;
  if (!recordRefund) return adapter;
  return {
    ...adapter,
    async recordRefund(refund) {
      const { paymentId, refundId, status, amount, ref } = refund;
      world.recordedRefunds.push({ paymentId, refundId, status, minor: amount.minor });
      const answer = await recordRefund(refund);
      if (status === "completed")
        world.orders.find(({ placed }) => placed.ref.orderId === ref.orderId)?.shopRefundIds.push(refundId);
      return answer;
    },
  };
}

function crashPointOf({ hazards, random }: SimulationWorld): CrashPoint {
  if (hazards.crash === 0) return "none";
  const chance = random.fraction();
  if (chance >= hazards.crash) return "none";
  return chance < hazards.crash / 2 ? "before-call" : "after-call";
}

// A proxy looks up the method at every call, which is slow, so bind the methods once.
function bindMethods<Port extends object>(handle: KillableProcess, port: Port): Port {
  const wrapped = handle.wrap(port);
  const names = Object.keys(port) as (keyof Port)[];
  return Object.fromEntries(names.map((name) => [name, wrapped[name]])) as Port;
}

function clockOffset({ random, hazards }: SimulationWorld): number {
  if (hazards.skewMs === 0) return 0;
  return randomMs(random, 2 * hazards.skewMs) - hazards.skewMs;
}

function tenantsOf(world: SimulationWorld, service: SimulationWorld["service"]["port"]): Tenants {
  return {
    credentialFor: async () => ({ id: "key", account: world.hazards.account }),
    service: async () => service,
    endpoint: async (endpointId) =>
      endpointId === "main" ? { secrets: world.secrets, credentialIds: ["key"], environment: "test" } : null,
  };
}

function logOf({ output }: SimulationWorld): Log {
  const write: Log["info"] = (message, fields) => void output.push(`${message} ${JSON.stringify(fields ?? {})}`);
  return { info: write, warn: write, error: write };
}
