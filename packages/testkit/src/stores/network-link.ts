import { type Clock, StoreError } from "@tillkit/core";
import { withDeadline } from "@tillkit/core/hosts";

/**
 * How one write fails. `unavailable`: the shop answers 503 and does nothing. `lost-…`: the connection breaks and no answer
 * arrives. `error-after-effect`: the shop performs the write and then answers 500, for example because a plug-in crashed
 * while it sent an e-mail. `lateMs`: the write arrives that much later, `slowMs`: the shop works on it for so long, and `until`:
 * the shop works on it until this promise resolves, whether or not the caller still waits.
 */
export type WriteFault =
  | "unavailable"
  | "lost-before-effect"
  | "lost-after-effect"
  | "error-after-effect"
  | { readonly lateMs: number }
  | { readonly slowMs: number }
  | { readonly until: () => Promise<void> };

type Delay = { readonly lateMs?: number; readonly slowMs?: number; readonly until?: () => Promise<void> };

/** What the shop does with a request. `process` waits while the shop works on it: as long as the request travelled, unless it is slow. */
type Work<Answer> = (process: () => Promise<void>) => Promise<Answer> | Answer;

/** The network between an adapter and its shop. It can delay, reject or lose requests. */
export type NetworkLink = {
  read<Answer>(work: Work<Answer>): Promise<Answer>;
  /** @param sendBy the request is not sent after this moment */
  write<Answer>(work: Work<Answer>, sendBy?: number): Promise<Answer>;
  failNextWrite(fault: WriteFault): void;
  /** Removes the queued faults. */
  clearFaults(): void;
  setDown(down: boolean): void;
  /** The shop, or a firewall in front of it, refuses every request, or accepts requests again. */
  setRefusing(refuses: boolean): void;
  setLatency(ms: number): void;
  /** Removes all faults and all latency. */
  heal(): void;
};

/** @param timeoutMs how long a caller waits for an answer; all requests of one adapter call must stay under the engine's limit of 20 s */
export function createNetworkLink(clock: Clock, timeoutMs: number): NetworkLink {
  const faults: WriteFault[] = [];
  let down = false;
  let refuses = false;
  let latencyMs = 0;

  async function send<Answer>(
    work: Work<Answer>,
    lateMs: number,
    finish = () => clock.sleep(latencyMs),
  ): Promise<Answer> {
    const answer = clock.sleep(lateMs).then(() => {
      if (down) throw unavailable();
      if (refuses) throw refused();
      return work(finish);
    });
    // The deadline does not stop the request: it may take effect after its caller gave up. Adapters must handle exactly this case.
    return await withDeadline(clock, timeoutMs, answer, noAnswer);
  }

  async function write<Answer>(work: Work<Answer>, sendBy = Number.POSITIVE_INFINITY): Promise<Answer> {
    const fault = faults.shift();
    if (clock.now() > sendBy) throw tooLate();
    if (fault === "unavailable") throw unavailable();
    if (fault === "lost-before-effect") throw noAnswer();
    const delay: Delay = typeof fault === "object" ? fault : {};
    const answer = await send(work, delay.lateMs ?? latencyMs, finishOf(delay));
    if (fault === "lost-after-effect") throw noAnswer();
    if (fault === "error-after-effect") {
      throw new StoreError("unknown", "The shop answered 500. It may have performed the write.");
    }
    return answer;
  }

  function finishOf({ slowMs, until }: Delay): (() => Promise<void>) | undefined {
    return slowMs === undefined ? until : () => clock.sleep(slowMs);
  }

  return {
    read: (work) => send(work, latencyMs),
    write,
    failNextWrite: (fault) => {
      faults.push(fault);
    },
    clearFaults: () => {
      faults.length = 0;
    },
    setDown: (value) => {
      down = value;
    },
    setRefusing: (value) => {
      refuses = value;
    },
    setLatency: (ms) => {
      latencyMs = ms;
    },
    heal: () => {
      faults.length = 0;
      down = false;
      refuses = false;
      latencyMs = 0;
    },
  };
}

function unavailable(): StoreError {
  return new StoreError("unavailable", "The shop answered 503 and did nothing. Try again.");
}

function refused(): StoreError {
  return new StoreError("reconnect", "The shop answered 403 and did nothing. Renew the connection.");
}

function tooLate(): StoreError {
  return new StoreError("unavailable", "The request was not sent, because its time is over. Try again.");
}

function noAnswer(): StoreError {
  return new StoreError("unknown", "The shop did not answer. It may have performed the write.");
}
