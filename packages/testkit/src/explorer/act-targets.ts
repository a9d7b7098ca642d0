import type { SimulatedTransaction } from "../simulator/service-readings.ts";
import { addHistory, type SimulatedOrder, type SimulationWorld } from "../simulator/simulation-world.ts";
import type { ReadThenWriteStore } from "../stores/read-then-write/read-then-write-store.ts";
import type { Act } from "./act.ts";
import { isFrozen, type Stage } from "./stage.ts";

/** The world as a request sees it that goes to this process, or to the other one while this one is frozen. */
export function seenBy(stage: Stage, via: Act["via"] = 0): SimulationWorld {
  return Object.create(stage.world, {
    processes: {
      get: () => {
        const [first, second] = via === 0 ? [0, 1] : [1, 0];
        const isAwake = stage.processes[first] !== undefined && !isFrozen(stage, stage.processes[first]);
        return [stage.world.processes[isAwake ? first : second]];
      },
    },
  }) as SimulationWorld;
}

export function orderOf({ world }: Stage, index: number): SimulatedOrder {
  const order = world.orders[index];
  if (!order) throw new Error(`The scenario has no order ${index}.`);
  return order;
}

export function paymentOf({ world }: Stage, index = 0): string {
  const payment = world.service.sessions[index]?.key;
  if (payment === undefined) throw new ActIsImpossible(`The scenario has started no payment ${index}.`);
  return payment;
}

/** What the act is about does not exist in this schedule, because a fault prevented it. */
export class ActIsImpossible extends Error {}

export function sessionOf({ world }: Stage, index = 0) {
  const session = world.service.sessions[index];
  if (!session) throw new ActIsImpossible(`The scenario has started no payment ${index}.`);
  return session;
}

export function transactionOf(stage: Stage, payment: number | undefined, index: number): SimulatedTransaction {
  const transaction = sessionOf(stage, payment).transactions[index];
  if (!transaction) throw new ActIsImpossible(`The payment has no transaction ${index}.`);
  return transaction;
}

export function ownerScreenOf({ store }: SimulationWorld): ReadThenWriteStore {
  if (store.kind !== "read-then-write") throw new Error("Only the owner of a read-then-write store sets statuses.");
  return store as unknown as ReadThenWriteStore;
}

export function changeService({ cells, world }: Stage, what: string, payment = 0): void {
  cells.change("service", `${world.clock.now()} ${what} ${payment}`);
  addHistory(world, what);
}

export function changeShop({ cells, world }: Stage, what: string): void {
  cells.change("shop", `${world.clock.now()} ${what}`);
}
