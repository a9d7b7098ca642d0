/** A clock that returns milliseconds since 1970. */
export type BaseClock = { now(): number };

/** The time of the sandbox: a base clock plus an offset. The control API moves the offset forward. */
export type SandboxClock = { now(): number; offsetMs(): number; setOffset(offsetMs: number): void };

export function createSandboxClock(base: BaseClock, offsetMs: number): SandboxClock {
  let offset = offsetMs;
  return {
    now: () => base.now() + offset,
    offsetMs: () => offset,
    setOffset(next) {
      offset = next;
    },
  };
}

/** Formats a time as the API does: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** The day of a time in UTC, such as `2026-01-31`. */
export function isoDate(time: number): string {
  return isoTime(time).slice(0, "2026-01-31".length);
}
