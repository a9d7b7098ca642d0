/**
 * What happens to one write. `unavailable`: 503, nothing done. `lost-…`: the connection breaks and no answer comes back.
 * `error-after-effect`: the shop does it and then answers 500. `lateMs`: it lands that much later, whether or not the caller
 * still waits.
 */
export type WriteFault =
  | "unavailable"
  | "lost-before-effect"
  | "lost-after-effect"
  | "error-after-effect"
  | { readonly lateMs: number };

/**
 * What every request meets. `maintenance`: WordPress's 503 page. `html`: a page with status 200, as of a caching or security
 * plugin. `notice`: a PHP warning in front of the JSON. `redirect`: 301 to another host. `forbidden`: a firewall's 403 page.
 * `error`: 500. `hang-up`: the connection breaks. `silence`: no answer, ever. `drip`: the answer never ends.
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
  /** The next write goes wrong in this way; called twice, the next two do. */
  failNextWrite(fault: WriteFault): void;
  /** From now on, until null. */
  disturb(how: Disturbance | null): void;
  /** How long a request is on its way, and as long again at work in the shop. Milliseconds. */
  setLatency(ms: number): void;
  /** The next write's fault, which is used up by this. */
  takeWriteFault(): WriteFault | null;
  disturbance(): Disturbance | null;
  latencyMs(): number;
  /** Writes that are held back and have not landed yet. */
  held: number;
  /** Requests that have arrived and are not answered yet. */
  underWay: number;
};

export function createFaults(): Faults {
  const writes: WriteFault[] = [];
  let everything: Disturbance | null = null;
  let latency = 0;
  return {
    held: 0,
    underWay: 0,
    failNextWrite: (fault) => {
      writes.push(fault);
    },
    disturb: (how) => {
      everything = how;
    },
    setLatency: (ms) => {
      latency = ms;
    },
    takeWriteFault: () => writes.shift() ?? null,
    disturbance: () => everything,
    latencyMs: () => latency,
  };
}
