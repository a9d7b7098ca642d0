import { ApiError } from "../domain/api-error.ts";
import { limits } from "../domain/limits.ts";
import { createSeededRandom } from "../domain/seeded-random.ts";
import { type Store, writeMeta } from "../storage/open-store.ts";
import { type Fault, readFault } from "./fault-request.ts";

/** A request that a fault may hit. */
export type FaultTarget = {
  readonly method: string;
  /** As the endpoint table writes it: `/transactions/{id}`. */
  readonly route: string;
  readonly path: string;
  /** The request was answered from the store of its Idempotency-Key. */
  readonly isRepeat: boolean;
};

/** Faults that wait for a request; they survive a restart. */
export type FaultQueue = {
  list(): readonly Fault[];
  /** @throws Refusal `bad_request` */
  add(request: unknown): Promise<Fault>;
  clear(): Promise<void>;
  /** These, and no others. */
  replace(faults: readonly Fault[]): Promise<void>;
  /** The oldest fault that hits this request, used up by one. A fault names the route or the very path. */
  take(target: FaultTarget): Fault | null;
};

/** A fault with the chance by which it hits its share of requests. */
type QueuedFault = { readonly fault: Fault; readonly random: () => number };

export function createFaultQueue(store: Store, now: () => number, stored: unknown): FaultQueue {
  let queue: QueuedFault[] = Array.isArray(stored) ? stored.map(queueFault) : [];

  async function persist(): Promise<void> {
    const faults = queue.map(({ fault }) => fault);
    await store.write((rows) => writeMeta(rows, "faults", faults));
  }

  async function replace(faults: readonly Fault[]): Promise<void> {
    queue = faults.map(queueFault);
    await persist();
  }

  const notExpired = () => queue.filter(({ fault }) => fault.until === undefined || Date.parse(fault.until) > now());

  return {
    list: () => notExpired().map(({ fault }) => fault),
    async add(request) {
      const fault = readFault(request, now());
      queue = notExpired();
      if (queue.length >= limits.faults) {
        throw new ApiError(
          "bad_request",
          `There are already ${limits.faults} faults: delete them with DELETE /sandbox/faults.`,
        );
      }
      queue = [...queue, queueFault(fault)];
      await persist();
      return fault;
    },
    clear: () => replace([]),
    replace,
    take(target) {
      const hit = notExpired().find((one) => matchesTarget(one.fault, target) && isSelected(one));
      if (hit === undefined) return null;
      const { fault, random } = hit;
      queue = queue.flatMap((one) => {
        if (one !== hit) return [one];
        return fault.times > 1 ? [{ fault: { ...fault, times: fault.times - 1 }, random }] : [];
      });
      // Not awaited: a crash may bring a used fault back, and the request must not wait for the disk.
      persist().catch((error: Error) => process.emitWarning(error));
      return fault;
    },
  };
}

function queueFault(fault: Fault): QueuedFault {
  return { fault, random: createSeededRandom(fault.seed ?? "1") };
}

function matchesTarget({ method, path, repeat }: Fault, target: FaultTarget): boolean {
  return (
    method === target.method && (path === target.route || path === target.path) && (repeat ?? false) === target.isRepeat
  );
}

function isSelected({ fault: { share }, random }: QueuedFault): boolean {
  return share === undefined || random() < share;
}
