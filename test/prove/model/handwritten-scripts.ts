import { PLAIN_SERVICE } from "./service-traits.ts";
import type { Script } from "./steps.ts";

const firstProcess = { by: 0, callsReleased: 40 } as const;
const jobsTwoMinutesLater = { kind: "reconcile", afterMs: 2 * 60_000, ...firstProcess } as const;

/** Handwritten histories that random choice rarely draws. They are the first cases of every run. */
export const handwrittenScripts: readonly Script[] = [
  // The owner accepts a difference, and the order's total changes again before the write to the shop.
  {
    store: "read-then-write",
    orders: 1,
    account: null,
    shopLatencyMs: 0,
    service: PLAIN_SERVICE,
    releaseChoices: [],
    steps: [
      { kind: "start", order: 0, ...firstProcess },
      { kind: "edit", order: 0, minor: 7_500, callsReleased: 40 },
      { kind: "pay", session: 0, callsReleased: 40 },
      { kind: "visit", payment: 0, to: "return", ...firstProcess },
      { kind: "visit", payment: 0, to: "accept and edit", ...firstProcess },
      jobsTwoMinutesLater,
      jobsTwoMinutesLater,
      jobsTwoMinutesLater,
    ],
  },
  // A session is paid twice, and the refund of the first transaction is all that is heard of it: the session names the second.
  {
    store: "callback",
    orders: 1,
    account: null,
    shopLatencyMs: 0,
    service: PLAIN_SERVICE,
    releaseChoices: [],
    steps: [
      { kind: "start", order: 0, ...firstProcess },
      { kind: "pay", session: 0, callsReleased: 0 },
      { kind: "pay again", session: 0, callsReleased: 0 },
      { kind: "dashboard refund", transaction: 0, all: false, callsReleased: 40 },
      { kind: "deliver", event: 2, as: "sent", ...firstProcess },
    ],
  },
];
