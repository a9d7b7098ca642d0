/** What the sandbox needs of a clock: milliseconds since 1970. */
export type BaseClock = { now(): number };

/** The sandbox's time: a base clock plus an offset that only the control API moves, and only forward. */
export type SandboxClock = { now(): number; offsetMs(): number; moveTo(offsetMs: number): void };

export function createSandboxClock(base: BaseClock, offsetMs: number): SandboxClock {
  let offset = offsetMs;
  return {
    now: () => base.now() + offset,
    offsetMs: () => offset,
    moveTo(next) {
      offset = next;
    },
  };
}

/** A time as the API writes it: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
