import type { Scenario } from "../scenario.ts";
import { HELD, on, PAID, READ_THEN_WRITE, READABLE, RECORDED } from "./steps.ts";

const CLICK = { do: "refund", key: "click" } as const;
const ACCEPT = { do: "decide", choice: { kind: "accept" } } as const;
const REFUND_THE_REST = { do: "decide", choice: { kind: "refund", transactionId: null, amount: null } } as const;

/** Refunds, disputes and restored ledgers meet. */
export const moneyBack: readonly Scenario[] = [
  ...on(READABLE, { name: "refund-twice-one-key", before: RECORDED, acts: [CLICK, { ...CLICK, via: 1 }] }),
  ...on(READ_THEN_WRITE, {
    name: "refund-twice-two-keys",
    before: RECORDED,
    acts: [CLICK, { ...CLICK, key: "click again", decision: "click", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "two-partial-refunds",
    before: RECORDED,
    acts: [
      { ...CLICK, minor: 3_000 },
      { ...CLICK, minor: 3_000, key: "another", via: 1 },
    ],
  }),
  ...on(READABLE, { name: "accept-and-refund", before: HELD, acts: [ACCEPT, { ...REFUND_THE_REST, via: 1 }] }),
  ...on(READ_THEN_WRITE, {
    name: "refund-and-dashboard",
    before: RECORDED,
    acts: [CLICK, { do: "refund-in-dashboard", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "partial-refund-and-dashboard",
    before: RECORDED,
    acts: [
      { ...CLICK, minor: 1_000 },
      { do: "refund-in-dashboard", minor: 1_000, via: 1 },
    ],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-dashboard",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "refund-in-dashboard", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "refund-and-dispute",
    before: RECORDED,
    acts: [CLICK, { do: "dispute", state: "open", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "refund-and-lost-dispute",
    before: [...RECORDED, { do: "dispute", state: "open" }],
    acts: [REFUND_THE_REST, { do: "dispute", state: "lost", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "success-and-lost-dispute",
    before: PAID,
    acts: [{ do: "deliver" }, { do: "dispute", state: "lost", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "further-transaction-and-refund",
    before: [...RECORDED, { do: "pay-again" }],
    acts: [
      { do: "deliver", transaction: 1 },
      { ...CLICK, via: 1 },
    ],
  }),
  ...on(READ_THEN_WRITE, {
    name: "pending-refund-and-signal",
    hazards: (usual) => ({ ...usual, service: { ...usual.service, pendingRefunds: 1 } }),
    before: RECORDED,
    acts: [CLICK, { do: "return", via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "failed-refund-and-repeat",
    hazards: (usual) => ({ ...usual, service: { ...usual.service, failedRefunds: 1 } }),
    before: RECORDED,
    acts: [CLICK, { ...CLICK, via: 1 }],
  }),
  ...on(READ_THEN_WRITE, {
    name: "restore-and-repeat",
    before: [...RECORDED, { do: "back-up" }, CLICK, { do: "restore" }],
    acts: [CLICK, { do: "recover", via: 1 }],
  }),
];
