/**
 * The fault of one write. `unavailable`: 503, nothing is applied. `lost-…`: the connection breaks before or after the write is
 * applied. `error-after-effect`: the write is applied and answered 500. `lateMs`: the write is applied after this delay, even if
 * the caller has given up.
 */
export type WriteFault =
  | "unavailable"
  | "lost-before-effect"
  | "lost-after-effect"
  | "error-after-effect"
  | { readonly lateMs: number };

/**
 * The fault of every request. `maintenance`: WordPress's 503 page. `html`: a page with status 200, as from a caching or security
 * plugin. `notice`: a PHP notice before the JSON. `redirect`: 301 to another host. `forbidden`: a firewall's 403 page. `error`: 500.
 * `hang-up`: the connection breaks. `silence`: no response. `drip`: a response that never ends.
 */
export type Disturbance =
  | "maintenance"
  | "html"
  | "notice"
  | "redirect"
  | "forbidden"
  | "error"
  | "hang-up"
  | "silence"
  | "drip";

export type Faults = {
  /** Fails the next write in this way. Two calls fail the next two writes. */
  failNextWrite(fault: WriteFault): void;
  /** Disturbs every request from now on; null ends it. */
  disturb(disturbance: Disturbance | null): void;
  /** The time of a request on the network, and the same time again for processing. Milliseconds. */
  setLatency(ms: number): void;
  /** Returns and removes the fault of the next write. */
  takeWriteFault(): WriteFault | null;
  disturbance(): Disturbance | null;
  latencyMs(): number;
  /** Delayed writes that are not applied yet. */
  heldWrites: number;
  /** Received requests that are not answered yet. */
  requestsInFlight: number;
};

export function createFaults(): Faults {
  const writeFaults: WriteFault[] = [];
  let current: Disturbance | null = null;
  let latency = 0;
  return {
    heldWrites: 0,
    requestsInFlight: 0,
    failNextWrite: (fault) => {
      writeFaults.push(fault);
    },
    disturb: (disturbance) => {
      current = disturbance;
    },
    setLatency: (ms) => {
      latency = ms;
    },
    takeWriteFault: () => writeFaults.shift() ?? null,
    disturbance: () => current,
    latencyMs: () => latency,
  };
}
