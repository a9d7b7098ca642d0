/** Tells the workers of this process that there may be work, after whoever brought it was answered. */
export function createMemoryWorkSignal() {
  const hearers = new Set<() => void>();
  return {
    tell(): void {
      if (hearers.size === 0) return;
      void Promise.resolve().then(() => {
        for (const hear of hearers) hear();
      });
    },
    onWork(hear: () => void): () => void {
      // The same function twice is two hearers.
      const own = () => hear();
      hearers.add(own);
      return () => void hearers.delete(own);
    },
    close: (): void => hearers.clear(),
  };
}
