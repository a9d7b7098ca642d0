/** Holds every call of the engine, before it leaves and before it returns, until it is released. */
export type Gate = {
  /** Wraps these methods of the port. */
  guard<Port extends object>(port: Port, methods: readonly (keyof Port)[]): Port;
  /** The number of waiting calls. */
  waiting(): number;
  /** Releases one waiting call. Any number selects a call, because numbers beyond the last call wrap around. */
  release(choice: number): void;
};

export function createGate(): Gate {
  const waitingCalls: (() => void)[] = [];
  const waitForRelease = (): Promise<void> => new Promise((resolve) => waitingCalls.push(resolve));

  async function runGuarded(call: () => Promise<unknown>): Promise<unknown> {
    await waitForRelease();
    try {
      return await call();
    } finally {
      await waitForRelease();
    }
  }

  return {
    guard(port, methods) {
      const guarded = { ...port };
      for (const name of methods) {
        const method = port[name];
        if (typeof method !== "function") continue;
        Object.assign(guarded, {
          [name]: (...given: unknown[]) => runGuarded(() => Reflect.apply(method, port, given)),
        });
      }
      return guarded;
    },
    waiting: () => waitingCalls.length,
    release: (choice) => {
      const [next] = waitingCalls.splice(choice % Math.max(1, waitingCalls.length), 1);
      next?.();
    },
  };
}
