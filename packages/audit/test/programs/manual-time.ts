import { type Clock, systemClock } from "@tillkit/core";

/** A clock that runs, from a time in the past, and can be moved forward. */
export function createManualTime(start: number): { readonly clock: Clock; advance(ms: number): void } {
  let offset = start - Date.now();
  return {
    clock: { now: () => Date.now() + offset, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
    advance: (ms) => {
      offset += ms;
    },
  };
}
