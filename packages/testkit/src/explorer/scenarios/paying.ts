import type { Scenario } from "../scenario.ts";
import { ALL_KINDS, HELD, on, PAID, PAID_TWICE, READ_THEN_WRITE, READABLE } from "./steps.ts";

/** Signals, shoppers and owners meet while an order is being paid. */
export const paying: readonly Scenario[] = [
  ...on(ALL_KINDS, { name: "webhook-and-return", before: PAID, acts: [{ do: "deliver" }, { do: "return", via: 1 }] }),
  ...on(READ_THEN_WRITE, { name: "webhook-twice", before: PAID, acts: [{ do: "deliver" }, { do: "deliver", via: 1 }] }),
  ...on(READ_THEN_WRITE, {
    name: "webhook-and-watch",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "watch", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-cancel-link",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "cancel", via: 1 }],
  }),
  ...on(READABLE, { name: "two-starts", before: [], acts: [{ do: "start" }, { do: "start", via: 1 }] }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-start",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "start", via: 1 }],
  }),
  ...on(READABLE, { name: "success-and-edit", before: PAID, acts: [{ do: "deliver" }, { do: "edit", minor: 5_100 }] }),
  ...on(READ_THEN_WRITE, {
    name: "accept-and-signal",
    before: HELD,
    acts: [
      { do: "decide", choice: { kind: "accept" } },
      { do: "return", via: 1 },
    ],
  }),
  ...on(ALL_KINDS, {
    name: "two-payments",
    before: PAID_TWICE,
    acts: [
      { do: "deliver", payment: 0 },
      { do: "deliver", payment: 1, via: 1 },
    ],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-newer-version",
    before: PAID,
    acts: [{ do: "newer-job" }, { do: "deliver" }, { do: "return", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-till",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "till-sells", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "open-page-and-till",
    before: [{ do: "start" }],
    acts: [{ do: "till-sells" }, { do: "till-refunds", via: 1 }],
  }),
];
