import { type Clock, StoreError, withDeadline } from "@tillkit/core";

/**
 * What happens to one write. `unavailable`: 503, nothing done. `lost-…`: the connection breaks and no answer comes back.
 * `error-after-effect`: the shop does it and then answers 500 (a plug-in died while it sent an e-mail). `lateMs`: it lands
 * that much later, whether or not the caller still waits.
 */
export type WriteFault =
  | "unavailable"
  | "lost-before-effect"
  | "lost-after-effect"
  | "error-after-effect"
  | { readonly lateMs: number };

/** The way between an adapter and its shop, on which requests are slow, late, refused or lost. */
export type NetworkLink = {
  read<Answer>(work: () => Promise<Answer> | Answer): Promise<Answer>;
  write<Answer>(work: () => Promise<Answer> | Answer): Promise<Answer>;
  /** The shop's own work on a request, as long as the way there. */
  waitForProcessing(): Promise<void>;
  failNextWrite(fault: WriteFault): void;
  /** Faults that no write has met yet are forgotten. */
  clearFaults(): void;
  setDown(down: boolean): void;
  setLatency(ms: number): void;
  /** Nothing goes wrong any more that was to go wrong. */
  heal(): void;
};

/** `timeoutMs`: how long a caller waits for an answer. All requests of one adapter call together stay under the engine's 20 s. */
export function createNetworkLink(clock: Clock, timeoutMs: number): NetworkLink {
  const faults: WriteFault[] = [];
  let down = false;
  let latencyMs = 0;

  async function send<Answer>(work: () => Promise<Answer> | Answer, lateMs: number): Promise<Answer> {
    const landed = clock.sleep(lateMs).then(() => {
      if (down) throw unavailable();
      return work();
    });
    // A request that nobody waits for any more goes on: that is the whole difficulty.
    return await withDeadline(clock, timeoutMs, landed, noAnswer);
  }

  async function write<Answer>(work: () => Promise<Answer> | Answer): Promise<Answer> {
    const fault = faults.shift();
    if (fault === "unavailable") throw unavailable();
    if (fault === "lost-before-effect") throw noAnswer();
    const answer = await send(work, typeof fault === "object" ? fault.lateMs : latencyMs);
    if (fault === "lost-after-effect") throw noAnswer();
    if (fault === "error-after-effect") {
      throw new StoreError("unknown", "The shop answered 500: it may have done what it was asked.");
    }
    return answer;
  }

  return {
    read: (work) => send(work, latencyMs),
    write,
    waitForProcessing: () => clock.sleep(latencyMs),
    failNextWrite: (fault) => {
      faults.push(fault);
    },
    clearFaults: () => {
      faults.length = 0;
    },
    setDown: (value) => {
      down = value;
    },
    setLatency: (ms) => {
      latencyMs = ms;
    },
    heal: () => {
      faults.length = 0;
      down = false;
      latencyMs = 0;
    },
  };
}

function unavailable(): StoreError {
  return new StoreError("unavailable", "The shop answered 503 and did nothing: try again.");
}

function noAnswer(): StoreError {
  return new StoreError("unknown", "The shop did not answer: it may have done what it was asked.");
}
