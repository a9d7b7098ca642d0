import { createEngine, type Engine, type EngineOptions, type Random } from "@tillkit/core";

/**
 * One process of ours: an engine whose every way out can be cut. When it dies, nothing that it waits for ever comes back,
 * what it sent goes on without it, and what it kept in memory is gone.
 */
export type SimulatedProcess = {
  readonly engine: Engine;
  isAlive(): boolean;
  /** Resolves when the process dies. */
  readonly died: Promise<void>;
};

export type ProcessOptions = {
  readonly ports: Pick<EngineOptions, "ledger" | "tenants" | "store" | "clock">;
  readonly random: Random;
  readonly referenceKey: string;
  readonly worker: string;
  /** How likely the process dies at one step out of itself, 0 to 1: before the step or after it. */
  readonly deadliness: () => number;
};

export function startProcess({ ports, random, referenceKey, worker, deadliness }: ProcessOptions): SimulatedProcess {
  let alive = true;
  let tellDeath = () => {};
  const died = new Promise<void>((resolve) => {
    tellDeath = resolve;
  });

  function die(): void {
    alive = false;
    tellDeath();
  }

  /** Every call of a port goes through here: the only places at which a process can be seen from outside. */
  async function step<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (!alive) return await never<Answer>();
    const fate = random.fraction();
    const danger = deadliness();
    if (fate < danger / 2) die();
    if (!alive) return await never<Answer>();
    try {
      const answer = await work();
      if (fate < danger) die();
      return alive ? answer : await never<Answer>();
    } catch (error) {
      return alive ? await Promise.reject(error) : await never<Answer>();
    }
  }

  const engine = createEngine({
    ledger: guarded(ports.ledger, step),
    tenants: {
      ...guarded(ports.tenants, step),
      service: async (credentialId) => guarded(await ports.tenants.service(credentialId), step),
    },
    store: async (storeId) => guarded(await ports.store(storeId), step),
    clock: { now: ports.clock.now, sleep: (ms, signal) => step(() => ports.clock.sleep(ms, signal)) },
    random,
    log: { info() {}, warn() {}, error() {} },
    referenceKeys: [referenceKey],
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    worker,
  });

  return { engine, isAlive: () => alive, died };
}

type Step = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

// Every method of these ports is asynchronous, so one wrapper fits all.
function guarded<Port extends object>(port: Port, step: Step): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => step(() => Reflect.apply(member, target, args) as Promise<unknown>);
    },
  });
}

function never<Answer>(): Promise<Answer> {
  return new Promise(() => {});
}
