import type { SimulatedClock } from "./simulated-clock.ts";

/** In real time. A shop that reads and writes files answers within milliseconds. */
const LONGEST_CALL_MS = 10_000;

const STUCK =
  "The shop did not answer within ten seconds of real time. During a simulated call it must not wait for the simulated clock, nor for another call.";

/**
 * Calls a shop that needs real time, for example to write a file, from within a simulation: the simulated clock stands still until
 * the shop has answered. One call after the other, so that the same seed gives the same history.
 * @param after runs after each call, before the next one
 */
export function createShopCalls(clock: SimulatedClock, after: () => Promise<void>) {
  let last: Promise<unknown> = Promise.resolve();

  return function callShop<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const answer = withinTime(
      last.then(async () => {
        try {
          return await request();
        } finally {
          await after();
        }
      }),
    );
    last = answer.catch(() => undefined);
    clock.waitFor(answer.then(ignore, throwIfStuck));
    return answer;
  };
}

class ShopIsStuck extends Error {}

/** @throws ShopIsStuck when the call takes too long, because the simulation would wait for it without end */
async function withinTime<Answer>(call: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ShopIsStuck(STUCK)), LONGEST_CALL_MS);
  });
  try {
    return await Promise.race([call, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}

// Other errors of the shop are answers, which the adapter handles.
function throwIfStuck(error: unknown): void {
  if (error instanceof ShopIsStuck) throw error;
}
