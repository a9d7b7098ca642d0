/** Wakes the workers of this process in a microtask, never inside the call that added jobs. */
export function createMemoryJobNotifier() {
  const listeners = new Set<() => void>();
  return {
    notify(): void {
      if (listeners.size === 0) return;
      void Promise.resolve().then(() => {
        for (const onNewJobs of listeners) onNewJobs();
      });
    },
    subscribe(onNewJobs: () => void): () => void {
      // A new wrapper for each subscription lets the same function subscribe twice.
      const listener = () => onNewJobs();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: (): void => listeners.clear(),
  };
}
