/** Runs tasks with the same key one after the other, within this process. */
export type KeyedMutex = {
  runExclusive<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
};

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async runExclusive(key, work) {
      const previous = tails.get(key) ?? Promise.resolve();
      // The next task runs after the previous one has ended, also when that one failed.
      const current = previous.then(work, work);
      tails.set(key, current);
      try {
        return await current;
      } finally {
        if (tails.get(key) === current) tails.delete(key);
      }
    },
  };
}
