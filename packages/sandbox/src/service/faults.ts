import { limits } from "../limits.ts";
import { type Store, writeMeta } from "../storage/open-store.ts";
import { createChance } from "./chance.ts";
import { type Fault, readFault } from "./fault-request.ts";
import { Refusal } from "./refusal.ts";

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
export type Faults = {
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
type Waiting = { readonly fault: Fault; readonly chance: () => number };

export function createFaults(store: Store, now: () => number, stored: unknown): Faults {
  let waiting: Waiting[] = Array.isArray(stored) ? stored.map(awaited) : [];

  async function keep(): Promise<void> {
    const faults = waiting.map(({ fault }) => fault);
    await store.write((rows) => writeMeta(rows, "faults", faults));
  }

  async function replace(faults: readonly Fault[]): Promise<void> {
    waiting = faults.map(awaited);
    await keep();
  }

  const unended = () => waiting.filter(({ fault }) => fault.until === undefined || Date.parse(fault.until) > now());

  return {
    list: () => unended().map(({ fault }) => fault),
    async add(request) {
      const fault = readFault(request, now());
      waiting = unended();
      if (waiting.length >= limits.faults) {
        throw new Refusal(
          "bad_request",
          `There are already ${limits.faults} faults: delete them with DELETE /sandbox/faults.`,
        );
      }
      waiting = [...waiting, awaited(fault)];
      await keep();
      return fault;
    },
    clear: () => replace([]),
    replace,
    take(target) {
      const hit = unended().find((one) => fits(one.fault, target) && isDrawn(one));
      if (hit === undefined) return null;
      const { fault, chance } = hit;
      waiting = waiting.flatMap((one) => {
        if (one !== hit) return [one];
        return fault.times > 1 ? [{ fault: { ...fault, times: fault.times - 1 }, chance }] : [];
      });
      // Not awaited: a crash may bring a used fault back, and the request must not wait for the disk.
      keep().catch((error: Error) => process.emitWarning(error));
      return fault;
    },
  };
}

function awaited(fault: Fault): Waiting {
  return { fault, chance: createChance(fault.seed ?? "1") };
}

function fits({ method, path, repeat }: Fault, target: FaultTarget): boolean {
  return (
    method === target.method && (path === target.route || path === target.path) && (repeat ?? false) === target.isRepeat
  );
}

function isDrawn({ fault: { share }, chance }: Waiting): boolean {
  return share === undefined || chance() < share;
}
