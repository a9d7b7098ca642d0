import type { Script } from "./steps.ts";

const soon = { by: 0, after: 40 } as const;
const minutesLater = { kind: "reconcile", afterMs: 2 * 60_000, ...soon } as const;

/** Histories that chance hardly ever draws, told by people. They are the first cases of every run. */
export const handwrittenScripts: readonly Script[] = [
  // The owner accepts a difference; before the shop can be told, the order costs something else again.
  {
    store: "read-then-write",
    orders: 1,
    account: null,
    shopLatencyMs: 0,
    turns: [],
    steps: [
      { kind: "start", order: 0, ...soon },
      { kind: "edit", order: 0, minor: 7_500, after: 40 },
      { kind: "pay", session: 0, after: 40 },
      { kind: "visit", payment: 0, to: "return", ...soon },
      { kind: "visit", payment: 0, to: "accept and edit", ...soon },
      minutesLater,
      minutesLater,
      minutesLater,
    ],
  },
];
