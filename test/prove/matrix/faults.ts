import type { FaultRequest, SettingsPatch } from "@tillkit/sandbox";
import { type FaultRule, OPEN, READ } from "./fault-rules.ts";
import { openingFaults } from "./opening-faults.ts";
import { readingFaults } from "./reading-faults.ts";
import { refundFaults } from "./refund-faults.ts";

/** The fault of the service or of the network in one checkout. */
export type ServiceFault = {
  readonly settings?: SettingsPatch;
  /** Faults from the first call on. */
  readonly faults?: readonly FaultRequest[];
  /** Faults after the shopper came back without paying. */
  readonly afterUnpaidReturn?: readonly FaultRequest[];
  /** The shopper's first attempt is declined. */
  readonly declinedFirst?: true;
  /** How long reads fail after the payment. */
  readonly readsDownMs?: number;
  /** The case also refunds the payment, with these faults. */
  readonly refund?: readonly FaultRequest[];
  /** How long all refund calls fail after the owner first presses Refund. */
  readonly refundsDownMs?: number;
};

function onOpenAndRead(fault: FaultRule): readonly FaultRequest[] {
  return [OPEN, READ].map((route) => ({ ...route, ...fault }));
}

/** Transport faults of calls and events. */
export const transportFaults: Readonly<Record<string, ServiceFault>> = {
  "429": { faults: onOpenAndRead({ status: 429, retryAfterSeconds: 2, times: 2 }) },
  "503": { faults: onOpenAndRead({ status: 503, times: 2 }) },
  "reset before the effect": { faults: onOpenAndRead({ reset: true, times: 2 }) },
  "reset after the effect": { faults: onOpenAndRead({ when: "after", reset: true, times: 2 }) },
  "half an answer": { faults: onOpenAndRead({ cutBody: true, times: 2 }) },
  // `delayMs` is real time. The shop's clock is simulated and may advance by minutes meanwhile, so 20 ms are slow already.
  slow: { faults: onOpenAndRead({ delayMs: 20, times: 2 }) },
  "too slow": { faults: onOpenAndRead({ delayMs: 1_500 }) },
  duplicate: { settings: { delivery: { duplicate: 4 } } },
  reorder: { settings: { delivery: { reorder: true, duplicate: 1 } } },
  tamper: { settings: { delivery: { tamper: true } } },
  "every attempt dropped": { settings: { delivery: { dropFirst: 20 } } },
  "first two attempts dropped": { settings: { delivery: { dropFirst: 2 } } },
  "event without a session ID": { settings: { thinEvents: true } },
  "event without a session ID and metadata": { settings: { thinEvents: "bare" } },
  "fresh id per attempt": { settings: { delivery: { freshIdPerAttempt: true, duplicate: 4 } } },
  "read with fewer fields": { settings: { narrowReads: true } },
  "wrapped in data": { settings: { wrap: "data" } },
  "wrapped in an array": { settings: { wrap: "array" } },
};

/** All faults by name. Each occurs while a session is opened, read, announced or refunded. */
export const serviceFaults: Readonly<Record<string, ServiceFault>> = {
  ...transportFaults,
  ...openingFaults,
  ...readingFaults,
  ...refundFaults,
};
