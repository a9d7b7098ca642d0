import { type Mutant, mutant } from "./mutant.ts";

const REFUND = "checkout/refund-payment";
const LEARN = "checkout/learn-refunds";

/** How money goes back, once. */
export const refunding: readonly Mutant[] = [
  mutant(
    "refund-in-doubt-repeated",
    "A refund whose answer was lost is made again under another key.",
    REFUND,
    "const doubtful = known.find(isInDoubt);",
    "const doubtful = known.find((refund) => isInDoubt(refund) && refund.key === wish.key);",
  ),
  mutant(
    "refund-key-anew",
    "Every try to give money back gives it back.",
    REFUND,
    "service.refund({ paymentId, request, key, account, deadlineMs: limits.serviceCallMs })",
    "service.refund({ paymentId, request, key: key + engine.random.uuid(), account, deadlineMs: limits.serviceCallMs })",
  ),
  mutant(
    "doubt-is-failure",
    "A refund whose answer was lost counts as failed, and the next click makes it again.",
    REFUND,
    `state: refused ? "failed" : "unknown"`,
    `state: refused || true ? "failed" : "unknown"`,
  ),
  mutant(
    "doubt-is-success",
    "A refund whose answer was lost counts as done, although the money may still be here.",
    REFUND,
    `state: refused ? "failed" : "unknown"`,
    `state: refused ? "failed" : "completed"`,
  ),
  mutant(
    "pending-is-back",
    "Money that is still on its way back counts as given back, also when it never goes.",
    LEARN,
    `sumOf(all, ["completed"]) >= `,
    `sumOf(all, ["completed", "pending"]) >= `,
  ),
  mutant(
    "any-part-is-all",
    "A small refund makes the whole payment refunded.",
    LEARN,
    `if (sumOf(all, ["completed"]) >= `,
    `if (sumOf(all, ["completed"]) > 0 || sumOf(all, ["completed"]) >= `,
  ),
];
