/** A first-in, first-out lock: callers acquire it one at a time, in the order in which they called `lock`. */
export type Mutex = { lock(): Promise<void>; unlock(): void };

export function createMutex(): Mutex {
  const waiters: (() => void)[] = [];
  let isLocked = false;
  return {
    async lock() {
      if (isLocked) return new Promise((resolve) => waiters.push(resolve));
      isLocked = true;
    },
    unlock() {
      const next = waiters.shift();
      if (next === undefined) isLocked = false;
      else next();
    },
  };
}
