import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Verdict } from "../domain/verdict.ts";

export type VerifyOptions = {
  readonly actor: TimelineEntry["actor"];
  /** How long one call to the service may take, retries included. */
  readonly deadlineMs: number;
  /** A reading this young is good enough; 0 reads anew. */
  readonly maxAgeMs: number;
  /** Commits only while this lease of the order is held. */
  readonly fence?: { readonly ref: OrderRef; readonly value: number };
  /** When the job that tells the store falls due, counted from now. */
  readonly confirmAfterMs: number;
};

export type Verified = { readonly verdict: Verdict; readonly payment: Payment };
