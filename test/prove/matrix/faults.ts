import type { FaultRequest, SettingsPatch } from "@tillkit/sandbox";

/** What the service or the way from it does to one checkout. */
export type ServiceFault = {
  readonly settings?: SettingsPatch;
  readonly faults?: readonly FaultRequest[];
  /** Money goes back as well: this fault is about that. */
  readonly refund?: true;
};

const OPEN = { method: "POST", path: "/checkout-sessions" } as const;
const READ = { method: "GET", path: "/checkout-sessions/{id}" } as const;

function both(fault: Omit<FaultRequest, "method" | "path">): readonly FaultRequest[] {
  return [OPEN, READ].map((route) => ({ ...route, ...fault }));
}

/** By what a developer would call them. Each is met while the session is opened, read or announced. */
export const serviceFaults: Readonly<Record<string, ServiceFault>> = {
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
  "two-step confirmation": { settings: { confirmation: "required" }, refund: true },
  "slow refunds": { settings: { refunds: "pending" }, refund: true },
};
