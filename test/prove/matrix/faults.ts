import type { FaultRequest, SettingsPatch } from "@tillkit/sandbox";
import { type FaultRule, OPEN, READ } from "./fault-rules.ts";
import { openingFaults } from "./opening-faults.ts";
import { readingFaults } from "./reading-faults.ts";
import { refundFaults } from "./refund-faults.ts";

/** What the service or the way from it does to one checkout. */
export type ServiceFault = {
  readonly settings?: SettingsPatch;
  /** From the first call on. */
  readonly faults?: readonly FaultRequest[];
  /** The shopper comes back without having paid, and from then on this happens. */
  readonly afterUnpaidReturn?: readonly FaultRequest[];
  /** The shopper's first try is declined. */
  readonly declinedFirst?: true;
  /** For so long after the payment nothing can be read. */
  readonly readsDownMs?: number;
  /** Money goes back as well, and from then on this happens. */
  readonly refund?: readonly FaultRequest[];
  /** For so long after the first click nothing about refunds works. */
  readonly refundsDownMs?: number;
};

function both(fault: FaultRule): readonly FaultRequest[] {
  return [OPEN, READ].map((route) => ({ ...route, ...fault }));
}

/** What happens to calls and events on their way. */
export const transportFaults: Readonly<Record<string, ServiceFault>> = {
  "429": { faults: both({ status: 429, retryAfterSeconds: 2, times: 2 }) },
  "503": { faults: both({ status: 503, times: 2 }) },
  "reset before": { faults: both({ reset: true, times: 2 }) },
  "reset after send": { faults: both({ when: "after", reset: true, times: 2 }) },
  "half an answer": { faults: both({ cutBody: true, times: 2 }) },
  // The sandbox holds a request in real time, in which minutes of the shop's clock may pass.
  slow: { faults: both({ delayMs: 20, times: 2 }) },
  "too slow": { faults: both({ delayMs: 1_500 }) },
  duplicate: { settings: { delivery: { duplicate: 4 } } },
  reorder: { settings: { delivery: { reorder: true, duplicate: 1 } } },
  tamper: { settings: { delivery: { tamper: true } } },
  drop: { settings: { delivery: { dropFirst: 20 } } },
  "late delivery": { settings: { delivery: { dropFirst: 2 } } },
  "thin event": { settings: { thinEvents: true } },
  "bare event": { settings: { thinEvents: "bare" } },
  "fresh id per attempt": { settings: { delivery: { freshIdPerAttempt: true, duplicate: 4 } } },
  "narrow read": { settings: { narrowReads: true } },
  "wrapped in data": { settings: { wrap: "data" } },
  "wrapped in an array": { settings: { wrap: "array" } },
};

/** By what a developer would call them. Each is met while the session is opened, read, announced or refunded. */
export const serviceFaults: Readonly<Record<string, ServiceFault>> = {
  ...transportFaults,
  ...openingFaults,
  ...readingFaults,
  ...refundFaults,
};
