import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Verdict } from "../domain/verdict.ts";

export type VerifyOptions = {
  readonly actor: TimelineEntry["actor"];
  /** How long one call to the service may take, retries included. */
  readonly deadlineMs: number;
  /** How old a shared reading of the session may be; 0 reads it again. */
  readonly maxAgeMs: number;
  /** Commits only while this lease of the order is held. */
  readonly fence?: { readonly ref: OrderRef; readonly value: number };
  /** The wait before the job that writes a verified payment to its store is due. */
  readonly confirmAfterMs: number;
};

export type Verified = { readonly verdict: Verdict; readonly payment: Payment };
