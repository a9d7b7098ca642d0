import type { SimulatedClock } from "./simulated-clock.ts";

/** The longest call in real time. A shop that reads and writes files answers within milliseconds. */
const LONGEST_CALL_MS = 10_000;

const STUCK_MESSAGE =
  "The shop did not answer within ten seconds of real time. A shop that waits for the simulated clock or for another call never answers: the clock stands still during a call, and the calls run one after the other.";

/**
 * Lets a simulation call a shop that needs real time, for example to write a file: the simulated clock stands still until the shop
 * has answered. The calls run one after the other, so that the same seed gives the same history.
 * @param afterEach runs after each call, before the next call
 */
export function createShopCalls(clock: SimulatedClock, afterEach: () => Promise<void>) {
  let previousCall: Promise<unknown> = Promise.resolve();

  return function callShop<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const answer = withinTime(
      previousCall.then(async () => {
        try {
          return await request();
        } finally {
          await afterEach();
        }
      }),
    );
    previousCall = answer.catch(() => undefined);
    clock.waitFor(answer.then(ignore, throwIfStuck));
    return answer;
  };
}

class ShopIsStuck extends Error {}

/** @throws ShopIsStuck when the call takes too long, because the simulation would wait for it without end */
async function withinTime<Answer>(call: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ShopIsStuck(STUCK_MESSAGE)), LONGEST_CALL_MS);
  });
  try {
    return await Promise.race([call, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}

// Every other error is an answer of the shop. The adapter that called the shop gets the error, and the simulation continues.
function throwIfStuck(error: unknown): void {
  if (error instanceof ShopIsStuck) throw error;
}
