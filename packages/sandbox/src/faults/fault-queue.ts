import { ApiError } from "../domain/api-error.ts";
import { limits } from "../domain/limits.ts";
import { createSeededRandom } from "../domain/seeded-random.ts";
import { type Store, writeMeta } from "../storage/open-store.ts";
import { type Fault, readFault } from "./fault-request.ts";

/** A request that a fault may hit. */
export type FaultTarget = {
  readonly method: string;
  /** The path of the endpoint table, such as `/transactions/{id}`. */
  readonly route: string;
  readonly path: string;
  /** True when the response was stored under the Idempotency-Key before. */
  readonly isReplayed: boolean;
};

/** Faults that wait for a matching request. They survive a restart. */
export type FaultQueue = {
  list(): readonly Fault[];
  /** @throws ApiError `bad_request` */
  add(request: unknown): Promise<Fault>;
  clear(): Promise<void>;
  /** Replaces all queued faults. */
  replace(faults: readonly Fault[]): Promise<void>;
  /** Takes the oldest fault that matches the request and reduces its `times` by one. A fault names a route or a concrete path. */
  take(target: FaultTarget): Fault | null;
};

/** A fault with the random numbers that select its share of requests. */
type QueuedFault = { readonly fault: Fault; readonly random: () => number };

export function createFaultQueue(store: Store, now: () => number, stored: unknown): FaultQueue {
  let queue: QueuedFault[] = Array.isArray(stored) ? stored.map(toQueuedFault) : [];

  async function persist(): Promise<void> {
    const faults = queue.map(({ fault }) => fault);
    await store.write((database) => writeMeta(database, "faults", faults));
  }

  async function replace(faults: readonly Fault[]): Promise<void> {
    queue = faults.map(toQueuedFault);
    await persist();
  }

  const unexpiredFaults = () =>
    queue.filter(({ fault }) => fault.until === undefined || Date.parse(fault.until) > now());

  return {
    list: () => unexpiredFaults().map(({ fault }) => fault),
    async add(request) {
      const fault = readFault(request, now());
      queue = unexpiredFaults();
      if (queue.length >= limits.faults) {
        throw new ApiError(
          "bad_request",
          `There are already ${limits.faults} faults: delete them with DELETE /sandbox/faults.`,
        );
      }
      queue = [...queue, toQueuedFault(fault)];
      await persist();
      return fault;
    },
    clear: () => replace([]),
    replace,
    take(target) {
      const hit = unexpiredFaults().find((queued) => matchesTarget(queued.fault, target) && isInShare(queued));
      if (hit === undefined) return null;
      const { fault, random } = hit;
      queue = queue.flatMap((queued) => {
        if (queued !== hit) return [queued];
        return fault.times > 1 ? [{ fault: { ...fault, times: fault.times - 1 }, random }] : [];
      });
      // Not awaited: the request must not wait for the disk. After a crash a used fault may exist again.
      persist().catch((error: Error) => process.emitWarning(error));
      return fault;
    },
  };
}

function toQueuedFault(fault: Fault): QueuedFault {
  return { fault, random: createSeededRandom(fault.seed ?? "1") };
}

function matchesTarget({ method, path, repeat }: Fault, target: FaultTarget): boolean {
  return (
    method === target.method &&
    (path === target.route || path === target.path) &&
    (repeat ?? false) === target.isReplayed
  );
}

/** Draws the next random number of a fault that hits only a share of the matching requests. */
function isInShare({ fault: { share }, random }: QueuedFault): boolean {
  return share === undefined || random() < share;
}
