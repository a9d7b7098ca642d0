/** Holds every call of the engine, before it leaves and before it returns, until it is released. */
export type Gate = {
  /** Wraps these methods of the port. */
  guard<Port extends object>(port: Port, methods: readonly (keyof Port)[]): Port;
  waiting(): number;
  /** Releases one waiting call. Any number selects one. */
  release(choice: number): void;
};

export function createGate(): Gate {
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

  async function pass(call: () => Promise<unknown>): Promise<unknown> {
    await turn();
    try {
      return await call();
    } finally {
      await turn();
    }
  }

  return {
    guard(port, methods) {
      const guarded = { ...port };
      for (const name of methods) {
        const method = port[name];
        if (typeof method !== "function") continue;
        Object.assign(guarded, { [name]: (...given: unknown[]) => pass(() => Reflect.apply(method, port, given)) });
      }
      return guarded;
    },
    waiting: () => waiting.length,
    release: (choice) => {
      const [next] = waiting.splice(choice % Math.max(1, waiting.length), 1);
      next?.();
    },
  };
}
