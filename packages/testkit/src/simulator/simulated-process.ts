import { createEngine, type Engine, type EngineOptions, type Random, silentLog } from "@tillkit/core";
import { createProcessLife, type ProcessLife } from "../process-life.ts";

/** One process of ours: an engine whose every way out can be cut. What it kept in memory is gone when it dies. */
export type SimulatedProcess = { readonly engine: Engine; readonly life: ProcessLife };

export type ProcessOptions = {
  readonly ports: Pick<EngineOptions, "ledger" | "tenants" | "store" | "clock">;
  readonly random: Random;
  readonly referenceKey: string;
  readonly worker: string;
  /** How likely the process dies at one call out of itself, 0 to 1. */
  readonly danger: () => number;
};

export function startProcess({ ports, random, referenceKey, worker, danger }: ProcessOptions): SimulatedProcess {
  const life = createProcessLife(() => {
    const fate = random.fraction();
    const likely = danger();
    if (fate >= likely) return "lives";
    return fate < likely / 2 ? "dies-before" : "dies-after";
  });
  const { ledger, tenants, store, clock } = ports;
  const engine = createEngine({
    ledger: life.hold(ledger),
    tenants: {
      credentialFor: tenants.credentialFor,
      endpoint: tenants.endpoint,
      service: async (credentialId) => life.hold(await tenants.service(credentialId)),
    },
    store: async (storeId) => life.hold(await store(storeId)),
    // Only waiting is a step: the time itself can be read by a process that is about to die.
    clock: { now: clock.now, sleep: life.hold(clock).sleep },
    random,
    log: silentLog,
    referenceKeys: [referenceKey],
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    worker,
  });
  return { engine, life };
}
