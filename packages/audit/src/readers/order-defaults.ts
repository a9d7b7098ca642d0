import type { OrderFact } from "../facts/facts.ts";

/** The fields of an order that most platforms leave as they are. */
export const ORDER_DEFAULTS = {
  otherTotal: null,
  paid: null,
  refunded: null,
  isRounded: false,
  isTest: false,
  relatedTo: null,
  knowsDispute: false,
  customer: null,
  url: null,
} as const satisfies Partial<OrderFact>;
