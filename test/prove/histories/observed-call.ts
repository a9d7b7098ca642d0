import type { JobOp } from "./job-register.ts";
import type { Call } from "./linearizable.ts";
import type { OrderOp } from "./order-register.ts";

/** The plan of one worker: the number of its calls and the seed of its choices. Times in milliseconds since 1970. */
export type CallPlan = {
  readonly worker: string;
  /** The first number that marks the worker's writes, so that all writes differ. */
  readonly marksFrom: number;
  readonly seed: number;
  readonly calls: number;
  /** The prefix of every name in the history, so that histories do not interfere. */
  readonly name: string;
  readonly startsAt: number;
  readonly orders: number;
};

/** A call and its result. `about` names the order or the job. Times in microseconds, on one clock for all processes. */
export type ObservedCall =
  | ({ readonly kind: "order"; readonly about: string } & Call<OrderOp>)
  | ({ readonly kind: "job"; readonly about: string } & Call<JobOp>)
  /** Whether a job must exist: always for a received delivery, and for a commit only if the commit succeeded. */
  | { readonly kind: "expects"; readonly payload: string; readonly mustExist: boolean };
