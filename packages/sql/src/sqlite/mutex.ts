/** Lets one through at a time, in the order in which they came. */
export type Mutex = { lock(): Promise<void>; unlock(): void };

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    async lock() {
      if (taken) return new Promise((resolve) => waiting.push(resolve));
      taken = true;
    },
    unlock() {
      const next = waiting.shift();
      if (next === undefined) taken = false;
      else next();
    },
  };
}
