import type { Script } from "./steps.ts";

const soon = { by: 0, callsReleased: 40 } as const;
const minutesLater = { kind: "reconcile", afterMs: 2 * 60_000, ...soon } as const;

/** Handwritten histories that random choice rarely draws. They are the first cases of every run. */
export const handwrittenScripts: readonly Script[] = [
  // The owner accepts a difference, and the order's total changes again before the write to the shop.
  {
    store: "read-then-write",
    orders: 1,
    account: null,
    shopLatencyMs: 0,
    releaseChoices: [],
    steps: [
      { kind: "start", order: 0, ...soon },
      { kind: "edit", order: 0, minor: 7_500, callsReleased: 40 },
      { kind: "pay", session: 0, callsReleased: 40 },
      { kind: "visit", payment: 0, to: "return", ...soon },
      { kind: "visit", payment: 0, to: "accept and edit", ...soon },
      minutesLater,
      minutesLater,
      minutesLater,
    ],
  },
];
