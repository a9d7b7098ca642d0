import { type Clock, createEngine, type Engine, type Log, type StoreAdapter, type Tenants } from "@tillkit/core";
import { createProcessLife, type ProcessLife } from "../process-life.ts";
import { upTo } from "./chance.ts";
import type { SimulatedLedger, SimulationWorld } from "./simulation-world.ts";
import { withStoreFaults } from "./store-faults.ts";
import type { SimulatedTill } from "./till.ts";

/** One process of ours: a till whose every way out can be cut. What it kept in memory is gone when it dies. */
export type SimulatedProcess = {
  readonly till: SimulatedTill;
  readonly engine: Engine;
  readonly life: ProcessLife;
  /** Its own clock, which may be off. */
  readonly now: () => number;
};

export type ProcessOptions = {
  readonly name: string;
  /** As our processes reach it. */
  readonly ledger: SimulatedLedger;
  readonly adapt: (adapter: StoreAdapter) => StoreAdapter;
  readonly createTill: (engine: Engine) => SimulatedTill;
};

export function startProcess(
  world: SimulationWorld,
  { name, ledger, adapt, createTill }: ProcessOptions,
): SimulatedProcess {
  const { random, clock } = world;
  const life = createProcessLife(() => fateOf(world));
  // A seed in which nobody dies needs nobody to be held.
  const isMortal = world.hazards.crash > 0 || world.hazards.kills > 0;
  const hold = <Port extends object>(port: Port) => (isMortal ? cut(life, port) : port);
  const skewMs = offset(world);
  const now = () => clock.now() + (clock.now() < world.stormEndsAt ? skewMs : 0);
  const sleeping = hold(clock);
  // Right before and right after the call that an alarm bounds is when a death is worst.
  const steps = hold({ step: async () => {} });
  // Only waiting is a step: the time itself can be read by a process that is about to die.
  const ownClock: Clock = {
    now,
    sleep: sleeping.sleep,
    setTimer: (ms, ring) => {
      void steps.step();
      const takeBack = clock.setTimer(ms, () => life.isAlive() && ring());
      return () => {
        takeBack();
        void steps.step();
      };
    },
  };
  const adapter = hold(adapt(hearRefunds(world, world.store.connect(withStoreFaults(world, hold)))));
  const engine = createEngine({
    ledger: hold(ledger),
    tenants: tenantsOf(world, hold(world.service.port)),
    store: async () => adapter,
    clock: ownClock,
    random,
    log: logOf(world),
    referenceKeys: world.referenceKeys,
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    worker: name,
    autoRefund: world.hazards.owner.givesBack,
  });
  return { till: createTill(engine), engine, life, now };
}

/** Writes down what the store is told of refunds, in its own books too. */
function hearRefunds(world: SimulationWorld, adapter: StoreAdapter): StoreAdapter {
  const { recordRefund } = adapter;
  if (!recordRefund) return adapter;
  return {
    ...adapter,
    async recordRefund(refund) {
      const { paymentId, refundId, status, amount, ref } = refund;
      world.toldRefunds.push({ paymentId, refundId, status, minor: amount.minor });
      const answer = await recordRefund(refund);
      if (status === "completed")
        world.orders.find(({ placed }) => placed.ref.orderId === ref.orderId)?.books.push(refundId);
      return answer;
    },
  };
}

function fateOf({ hazards, random }: SimulationWorld): "lives" | "dies-before" | "dies-after" {
  if (hazards.crash === 0) return "lives";
  const fate = random.fraction();
  if (fate >= hazards.crash) return "lives";
  return fate < hazards.crash / 2 ? "dies-before" : "dies-after";
}

// A proxy looks each method up again at every call; a process makes very many.
function cut<Port extends object>(life: ProcessLife, port: Port): Port {
  const held = life.hold(port);
  const names = Object.keys(port) as (keyof Port)[];
  return Object.fromEntries(names.map((name) => [name, held[name]])) as Port;
}

function offset({ random, hazards }: SimulationWorld): number {
  if (hazards.skewMs === 0) return 0;
  return upTo(random, 2 * hazards.skewMs) - hazards.skewMs;
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
