/** Lets one through at a time, in the order in which they came. */
export type Turnstile = { enter(): Promise<void>; leave(): void };

export function createTurnstile(): Turnstile {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    async enter() {
      if (taken) return new Promise((resolve) => waiting.push(resolve));
      taken = true;
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) taken = false;
      else next();
    },
  };
}
