import type { Money, PaymentLedger, Random, Records, StoreAdapter } from "@tillkit/core";
import type { ManualClock } from "../manual-clock.ts";
import type { MiniatureStore, PlacedOrder } from "../stores/miniature-store.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { SimulatedService, SimulatedSession } from "./simulated-service.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** An order with what its shopper and its owner did to it. */
export type SimulatedOrder = {
  placed: PlacedOrder;
  total: Money;
  /** Everything that was ever the order's total: a payment of any other amount may never count. */
  readonly totals: Money[];
  readonly sessions: SimulatedSession[];
  readonly payments: string[];
  cancelled: boolean;
};

export type SimulationWorld = {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly service: SimulatedService;
  readonly store: MiniatureStore;
  readonly adapter: StoreAdapter;
  readonly ledger: PaymentLedger & { readonly records: Records; close(): Promise<void> };
  readonly orders: SimulatedOrder[];
  readonly history: string[];
  readonly processes: SimulatedProcess[];
  /** Ends of the time with faults, in milliseconds since 1970. */
  readonly stormEndsAt: number;
  danger: number;
  kills: number;
};

export function anyAlive(world: SimulationWorld): SimulatedProcess | undefined {
  const alive = world.processes.filter((process) => process.life.isAlive());
  return alive[Math.floor(world.random.fraction() * alive.length)];
}

/** What a browser or the service hears: nothing after half a minute. */
export async function within<Answer>({ clock }: SimulationWorld, work: Promise<Answer>): Promise<Answer | null> {
  work.catch(() => undefined);
  return await Promise.race([work, clock.sleep(30 * SECOND).then(() => null)]);
}

export function note({ clock, history }: SimulationWorld, text: string): void {
  history.push(`${new Date(clock.now()).toISOString()} ${text}`);
}
