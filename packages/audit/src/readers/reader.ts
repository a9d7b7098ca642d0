import type { Clock } from "@tillkit/core";
import type { MovementCoverage, OrderCoverage } from "../facts/facts.ts";
import type { SourceStore } from "../store/fact-store.ts";

/** The period of an audit, in milliseconds since 1970, and what is now. */
export type Window = { readonly from: number; readonly until: number; readonly now: number };

/** `total` is null until a source says how many rows there are. */
export type Progress = {
  readonly source: string;
  readonly rows: number;
  readonly total: number | null;
};

export type ReadJob = Window & {
  readonly store: SourceStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Movements of this last time are read again, because they may have changed. */
  readonly recheckMs: number;
  readonly onProgress: (progress: Progress) => void;
  /** Makes the keyed hash of a customer, or null for an empty text. */
  readonly hashCustomer: (text: unknown) => string | null;
};

/** One shop. `read` leaves its orders in the store, and says what the shop can show. */
export type OrderReader = { readonly shop: string; read(job: ReadJob): Promise<OrderCoverage> };

/** The money of one key. */
export type MovementReader = { readonly source: string; read(job: ReadJob): Promise<MovementCoverage> };
