import type { Scenario } from "../scenario.ts";
import { ALL_KINDS, on, PAID, PAID_TWICE, READ_THEN_WRITE, READABLE } from "./steps.ts";

/** Owners decide, and rules refund, while our own write may still mark the order paid. */
export const rules: readonly Scenario[] = [
  ...on(ALL_KINDS, {
    name: "success-and-owner-cancels",
    autoRefund: ["order_not_payable", "order_gone"],
    before: PAID,
    acts: [{ do: "deliver" }, { do: "close" }],
  }),
  ...on(READABLE, {
    name: "success-and-cash",
    autoRefund: ["duplicate"],
    before: PAID,
    acts: [{ do: "deliver" }, { do: "close", as: "cash" }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-trash",
    autoRefund: ["order_not_payable", "order_gone"],
    before: PAID,
    acts: [{ do: "deliver" }, { do: "close", as: "trash" }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-owner-marks-paid",
    autoRefund: ["duplicate", "order_not_payable"],
    before: PAID,
    acts: [{ do: "deliver" }, { do: "set-status", status: "processing" }],
  }),
  ...on(ALL_KINDS, {
    name: "success-and-owner-refunds",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "refund", key: "click", via: 1 }],
  }),
  ...on(ALL_KINDS, {
    name: "two-payments-by-rule",
    autoRefund: ["duplicate"],
    before: PAID_TWICE,
    acts: [
      { do: "deliver", payment: 0 },
      { do: "deliver", payment: 1, via: 1 },
    ],
  }),
];
