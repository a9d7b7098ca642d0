import type { JobOp } from "./job-register.ts";
import type { Call } from "./linearizable.ts";
import type { OrderOp } from "./order-register.ts";

/** What one worker is to do: how much of it, and from which number its chance is drawn. Times in milliseconds since 1970. */
export type CallPlan = {
  readonly worker: string;
  /** Its writes are marked from here on, so that no two are alike. */
  readonly marksFrom: number;
  readonly seed: number;
  readonly calls: number;
  /** Every name in the history begins with this, so that two histories never meet. */
  readonly name: string;
  readonly startsAt: number;
  readonly orders: number;
};

/** What was asked and answered; `about` names the order or the job. Times on one clock for all processes, in microseconds. */
export type ObservedCall =
  | ({ readonly kind: "order"; readonly about: string } & Call<OrderOp>)
  | ({ readonly kind: "job"; readonly about: string } & Call<JobOp>)
  /** A delivery that was received; and a commit's own job, which must be there exactly when the commit was done. */
  | { readonly kind: "expects"; readonly payload: string; readonly there: boolean };
