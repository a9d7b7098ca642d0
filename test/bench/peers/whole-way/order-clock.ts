export type OrderTimes = { readonly p50Ms: number; readonly p99Ms: number; readonly perSecond: number };

/** Starts orders, numbered from `first`, and measures the time of each until it is paid. */
export function createOrderClock(start: (order: number) => void, first: number) {
  const startedAt = new Map<string, number>();
  let latencies: number[] = [];
  let next = first;
  let end = first;
  let finish = () => {};

  function startNext(): void {
    if (next === end) return;
    startedAt.set(String(next), performance.now());
    start(next);
    next += 1;
  }

  return {
    paid(orders: readonly string[]): void {
      for (const order of orders) {
        latencies.push(performance.now() - (startedAt.get(order) ?? Number.NaN));
        startedAt.delete(order);
        startNext();
      }
      if (startedAt.size === 0) finish();
    },
    async run(orders: number, inFlight: number): Promise<OrderTimes> {
      latencies = [];
      end = next + orders;
      const begin = performance.now();
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      for (let started = 0; started < inFlight; started += 1) startNext();
      await finished;
      const perSecond = (orders * 1_000) / (performance.now() - begin);
      latencies.sort((left, right) => left - right);
      const share = (part: number) => latencies[Math.floor(orders * part)] ?? Number.NaN;
      return { p50Ms: share(0.5), p99Ms: share(0.99), perSecond };
    },
  };
}
