/** A lock with a queue: `lock` resolves for one caller at a time, in the order of the calls. */
export type Mutex = { lock(): Promise<void>; unlock(): void };

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let isLocked = false;
  return {
    async lock() {
      if (isLocked) return new Promise((resolve) => waiting.push(resolve));
      isLocked = true;
    },
    unlock() {
      const next = waiting.shift();
      if (next === undefined) isLocked = false;
      else next();
    },
  };
}
